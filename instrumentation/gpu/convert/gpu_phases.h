#pragma once
// Finds the phases of a block's mbarriers. The records say which threads initialise a barrier,
// arrive and have waited, and when; the phase follows from the number of earlier arrivals.
//
// Why clusters are different. The blocks of a cluster run on several multiprocessors, whose clocks
// cannot be compared. So at a barrier where threads of other blocks arrive, too, arrivals and waits
// are counted thread by thread: a thread arrives once in each phase, and waits for one phase after
// another. All barriers at one offset in the blocks' shared memory have one number,
// and another one where they are another block's.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
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
    // Set in the second row if the barrier is another block's.
    static constexpr std::uint32_t kOfOtherBlock = 0x80000000;
    // A part of a bulk copy that lands in another block than the one that started it.
    struct Landing {
        std::uint32_t rank = 0;    // of the block that gets it
        std::uint32_t phase = 0;   // MBarrierPhase::base()
        std::uint32_t record = 0;  // of the copy
        std::uint32_t lane = 0;    // that started it
        std::uint64_t clock = 0;
    };
    // Two rows of 32: MBarrierPhase::base() or kNone of each lane, and the record's number.
    using Rows = std::array<std::uint32_t, 2 * kWarpSize>;

    GpuPhases(const GpuFacts &facts, const GpuMemory &memory) : facts_(facts), memory_(memory) {}
    // Whether the program has any site with an mbarrier operation.
    [[nodiscard]] bool has_any() const;
    void begin_block() {
        found_.clear();
        records_.clear();
        barriers_.clear();
        last_arrival_.clear();
        of_threads_.clear();
        landings_.clear();
        numbers_.clear();
    }
    // Adds a record of the block; records of one warp in their order. `record`: the caller's
    // number, larger than that of the record before. `rank`: of the block in its cluster.
    void add(std::uint32_t record, std::uint32_t warp, const tilereel_gpu::DeviceRecord &what,
             const std::uint32_t *words, std::uint32_t rank = 0);
    // Finds all phases, after the last add().
    void find();
    [[nodiscard]] const std::uint32_t *rows_of(std::uint32_t record) const {
        return rows_[static_cast<std::size_t>(std::ranges::lower_bound(records_, record) -
                                              records_.begin())]
            .data();
    }

    // Of all blocks of the cluster, in the order of their copies.
    [[nodiscard]] const std::vector<Landing> &landings() const { return landings_; }

  private:
    // The rank of the barrier's block, its address, the rank of the thread's block, its warp and
    // lane.
    using ThreadAt =
        std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, unsigned>;
    struct OfThread {
        std::int64_t arrivals = 0;
        std::int64_t waited = kNever;  // the phase that it waited for last
        static constexpr std::int64_t kNever = -2;
    };
    struct Found {
        std::uint64_t clock = 0;
        std::uint32_t number = 0;  // in the order of add()
        std::uint32_t record = 0, warp = 0, site = 0, mask = 0;
        const std::uint32_t *words = nullptr;  // the record's own row
        std::uint32_t rank = 0, owner = 0;     // of the block, and of the barrier's
    };
    struct Barrier {
        bool of_several_blocks = false;  // threads of other blocks arrive
        std::uint64_t expected = 1,
                      arrivals = 0;       // arrivals of one phase; arrivals so far
        std::vector<std::int64_t> bytes;  // by phase: the pending tx-count
        [[nodiscard]] std::uint64_t arrived_phases() const { return arrivals / expected; }
    };
    // A barrier as a block names it: its own ones come first, then those of other blocks by rank,
    // then those without an address.
    enum class Owner : std::uint8_t { kOwn, kOther, kNone };
    using Name = std::tuple<Owner, std::uint32_t, std::uint32_t>;  // of kOther: the rank; address
    [[nodiscard]] static Name name_of(const Found &found, std::uint32_t address) {
        if ((address & tilereel_gpu::kNamedBarrier) != 0) return {Owner::kNone, 0, address};
        if (found.owner == found.rank) return {Owner::kOwn, 0, address};
        return {Owner::kOther, found.owner, address};
    }
    void number_barriers();
    // MBarrierPhase::base() or kNone.
    [[nodiscard]] std::uint32_t base_of(const Name &name, std::int64_t phase) const;
    [[nodiscard]] std::uint32_t phase_of(const Found &found, unsigned lane);
    [[nodiscard]] std::int64_t arrive(const Found &found, unsigned lane, Barrier &barrier);
    [[nodiscard]] std::int64_t waited(const Found &found, unsigned lane, const Barrier &barrier);
    [[nodiscard]] std::int64_t waited_in_cluster(const Found &found, unsigned lane);
    [[nodiscard]] std::int64_t start_bulk_copy(const Found &found, unsigned lane, Barrier &barrier);
    [[nodiscard]] static ThreadAt thread_at(const Found &found, unsigned lane) {
        return {found.owner, found.words[lane], found.rank, found.warp, lane};
    }

    const GpuFacts &facts_;
    const GpuMemory &memory_;
    std::vector<Found> found_;
    std::vector<std::uint32_t> records_;  // in the order of add(), as are the rows
    std::vector<Rows> rows_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Barrier> barriers_;  // by rank and address
    std::map<Name, std::uint32_t> numbers_;
    std::map<ThreadAt, std::int64_t> last_arrival_;  // the phase at which the thread arrived last
    std::map<ThreadAt, OfThread> of_threads_;        // at barriers of several blocks
    std::vector<Landing> landings_;
};

}  // namespace tilereel::gpu
