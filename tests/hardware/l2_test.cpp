// What DRAM moved in launches of the ladder at N = 4096, counted by Nsight Compute on an H200,
// against the model of L2 with blocks in the order of the launch (instrumentation/analysis/l2).
#include <gtest/gtest.h>

#include "app/ladder/sample/footprint_sample.h"
#include "app/workbench/tables/registers.h"
#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/analysis/l2/block_order.h"
#include "tests/hardware/csv_rows.h"

namespace tilereel::l2_test {
namespace {

constexpr int kSize = 4096;

std::vector<CsvRow> counted_rows() {
    std::vector<CsvRow> rows;
    for (const CsvRow& row : read_rows("pipes.csv"))
        if (row.at("set") == "products" && row.at("n") == std::to_string(kSize))
            rows.push_back(row);
    return rows;
}

// Of a launch, in MB: what goes from and to DRAM if the blocks of an SM get on alike, or in turn.
std::pair<double, double> modelled(const CsvRow& row) {
    RecordRequest request;
    request.kernel = row.at("launch");
    const int tile = std::stoi(row.at("tile")), pad = std::stoi(row.at("pad"));
    request.parameters = {.m = kSize, .n = kSize, .k = kSize, .tile = tile, .pad = pad};
    const auto sample = footprint_sample(request, registers_of(request.kernel, tile, pad).a_thread);
    EXPECT_TRUE(sample) << sample.error().message;
    const GpuModel& gpu = *find_gpu_model("h200");
    const auto occupancy = occupancy_of(sample->resources, *find_generation(gpu.generation));
    const auto megabytes = [&](BlockPace pace) {
        const L2Bytes all =
            run_through_l2({.launch = &sample->launch,
                            .l2_bytes = gpu.l2_bytes,
                            .multiprocessors = static_cast<std::uint32_t>(gpu.multiprocessors),
                            .of_each = static_cast<std::uint32_t>(occupancy->blocks),
                            .pace = pace})
                ->all;
        return (all.fetched + all.written) / 1e6;
    };
    return {megabytes(BlockPace::kTogether), megabytes(BlockPace::kInTurn)};
}

// Without it, 09 would read its 134 MB of A and B once: an H200 moved 8,475 MB.
void compare(const std::vector<CsvRow>& rows) {
    std::size_t all = 0, at_an_end = 0;
    for (const CsvRow& row : rows) {
        const double counted = std::stod(row.at("DRAM MB counted"));
        const auto [low, high] = modelled(row);
        const std::string name = row.at("launch") + " " + row.at("tile");
        EXPECT_GT(counted, 0.98 * low) << name;
        EXPECT_LT(counted, 1.02 * high) << name;
        ++all;
        at_an_end += counted < 1.15 * low || counted > 0.85 * high ? 1 : 0;
    }
    // All but 02 with TILE 16.
    EXPECT_GE(at_an_end + 1, all);
}

// One launch of each way to read.
TEST(L2, MovesWhatNsightComputeCounted) {
    std::vector<CsvRow> rows = counted_rows();
    std::erase_if(rows, [](const CsvRow& row) {
        const std::string name = row.at("launch") + " " + row.at("tile");
        return name != "09_tiled 32" && name != "12_outer_product 16" &&
               name != "15_register_tile 128" && name != "18_warp_tiled 128";
    });
    EXPECT_EQ(rows.size(), 4u);
    compare(rows);
}
TEST(L2, DISABLED_MovesWhatNsightComputeCountedInAllLaunches) {
    EXPECT_EQ(counted_rows().size(), 25u);
    compare(counted_rows());
}

}  // namespace
}  // namespace tilereel::l2_test
