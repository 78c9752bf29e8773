#pragma once
// What may order two accesses to global memory; global_races.h has the rules.
#include <cstdint>
#include <vector>

#include "instrumentation/analysis/hazards/global_accesses.h"

namespace tilereel {

class Synchronisations {
  public:
    explicit Synchronisations(const Trace& trace);
    // Whether something may order two accesses of different blocks.
    [[nodiscard]] bool between_blocks(const GlobalAccess& a, const GlobalAccess& b) const;
    // The same for two warps of one block in one epoch.
    [[nodiscard]] bool between_warps(const GlobalAccess& a, const GlobalAccess& b) const;
    // The same for two lanes of one warp in one epoch. `a` is earlier in the trace.
    [[nodiscard]] bool between_lanes(const GlobalAccess& a, const GlobalAccess& b) const;

  private:
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};
    // The first and the last record of a segment that may order accesses.
    struct Span {
        std::uint64_t first = kNever, last = 0;
        [[nodiscard]] bool any() const { return first != kNever; }
        void add(std::uint64_t record) {
            first = first == kNever ? record : first;
            last = record;
        }
    };
    struct LaneBarrier {
        std::uint64_t record = 0;
        std::uint32_t mask = 0;
    };
    struct Segment {
        Span grid{};   // atomics and volatile accesses of global memory
        Span block{};  // these, those of shared memory, and operations of mbarriers
        // Whether an earlier, or a later, epoch of the block has one in `grid`.
        bool before = false, after = false;
        std::uint32_t grid_phase = 0;     // barriers of the grid before
        std::uint32_t cluster_phase = 0;  // barriers of the cluster before
    };
    void add_record(std::uint64_t record, Segment& segment);
    void add_block(SegmentRange range);
    [[nodiscard]] bool within_cluster(const GlobalAccess& a, const GlobalAccess& b) const;
    [[nodiscard]] bool acquired(const GlobalAccess& access) const;
    [[nodiscard]] bool released(const GlobalAccess& access) const;
    [[nodiscard]] bool acquires(const GlobalAccess& access) const;
    [[nodiscard]] bool synchronises(const GlobalAccess& access) const;

    const Trace& trace_;
    std::vector<Segment> segments_;
    std::vector<LaneBarrier> lane_barriers_;  // by ascending record
    bool arrives_at_others_ = false;          // threads arrive at mbarriers of other blocks
};

}  // namespace tilereel
