#pragma once
// What a launch finds in L2 with its blocks in the order of the launch, and in groups of rows.
#include <memory>
#include <string>
#include <vector>

#include "app/ladder/record_request.h"
#include "instrumentation/analysis/generations/occupancy.h"
#include "instrumentation/analysis/l2/block_order.h"
#include "instrumentation/analysis/time/gpu_model.h"

namespace tilereel {

inline constexpr std::uint32_t kRowsOfGroup = 8;

struct OrderedL2 {
    BlockOrder order{};
    L2Run run{};         // a block of each SM in turn
    L2Bytes together{};  // of the launch, if all blocks of an SM get on alike
    [[nodiscard]] double least_fetched() const {
        return std::min(run.all.fetched, together.fetched);
    }
    [[nodiscard]] double most_fetched() const {
        return std::max(run.all.fetched, together.fetched);
    }
};

struct LaunchL2 {
    Dim3 grid{};
    std::uint32_t of_each = 0, at_once = 0;  // blocks of an SM, of the GPU
    bool all_recorded = false;               // else some blocks stand for the others
    std::vector<std::string> names{};        // of the arrays, by ArrayId
    std::vector<FootprintArray> arrays{};
    // By ArrayId: what the blocks of a row, or of a column, access alike, as A and B of a product.
    std::vector<bool> of_rows{}, of_columns{};
    std::vector<OrderedL2> orders{};  // that of the launch first; others if the grid has rows
};

// A launch of the ladder. Errors: those of footprint_sample(); kWrongCall: the GPU's L2 is not
// known.
Result<LaunchL2> launch_l2(const RecordRequest& request, const GpuModel& gpu,
                           RecordProgress* progress);
// A recorded launch. Error (kFailed): not all of its blocks are recorded, nor enough to know the
// others. A clause.
Result<LaunchL2> launch_l2(const Trace& trace, int registers_per_thread, const GpuModel& gpu,
                           RecordProgress* progress);

}  // namespace tilereel
