#pragma once
// Finds the phases of a block's mbarriers. The records say which threads initialise a barrier,
// arrive and have waited, and when; the phase follows from the number of earlier arrivals.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "instrumentation/gpu/convert/gpu_facts.h"
#include "instrumentation/gpu/convert/gpu_memory.h"
#include "instrumentation/gpu/dump.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::gpu {

class GpuPhases {
  public:
    static constexpr std::uint32_t kNone = 0xffffffff;  // no phase that the trace can name
    // Two rows of 32: MBarrierPhase::base() or kNone of each lane, and the record's number.
    using Rows = std::array<std::uint32_t, 2 * kWarpSize>;

    GpuPhases(const GpuFacts& facts, const GpuMemory& memory) : facts_(facts), memory_(memory) {}
    // Whether the program has any site with an mbarrier operation.
    [[nodiscard]] bool has_any() const;
    void begin_block() {
        found_.clear();
        records_.clear();
        barriers_.clear();
        last_arrival_.clear();
    }
    // Adds a record of the block; records of one warp in their order. `record`: the caller's
    // number, larger than that of the record before.
    void add(std::uint32_t record, std::uint32_t warp, const tilereel_gpu::DeviceRecord& what,
             const std::uint32_t* words);
    // Finds all phases, after the last add().
    void find();
    [[nodiscard]] const std::uint32_t* rows_of(std::uint32_t record) const {
        return rows_[static_cast<std::size_t>(std::ranges::lower_bound(records_, record) -
                                              records_.begin())]
            .data();
    }

  private:
    struct Found {
        std::uint64_t clock = 0;
        std::uint32_t number = 0;  // in the order of add()
        std::uint32_t record = 0, warp = 0, site = 0, mask = 0;
        const std::uint32_t* words = nullptr;  // the record's own row
    };
    struct Barrier {
        std::uint32_t number = 0;
        std::uint64_t expected = 1, arrivals = 0;  // arrivals of one phase; arrivals so far
        std::vector<std::int64_t> bytes;           // by phase: the pending tx-count
        [[nodiscard]] std::uint64_t arrived_phases() const { return arrivals / expected; }
    };
    void number_barriers();
    [[nodiscard]] std::uint32_t phase_of(const Found& found, unsigned lane);
    [[nodiscard]] std::int64_t arrive(const Found& found, unsigned lane, Barrier& barrier);
    [[nodiscard]] std::int64_t waited(const Found& found, unsigned lane, const Barrier& barrier);
    [[nodiscard]] std::int64_t start_bulk_copy(const Found& found, unsigned lane, Barrier& barrier);

    const GpuFacts& facts_;
    const GpuMemory& memory_;
    std::vector<Found> found_;
    std::vector<std::uint32_t> records_;  // in the order of add(), as are the rows
    std::vector<Rows> rows_;
    std::map<std::uint32_t, Barrier> barriers_;  // by address
    // By barrier number and thread: the phase at which the thread arrived last.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> last_arrival_;
};

}  // namespace tilereel::gpu
