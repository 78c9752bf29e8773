#pragma once
// Which trips of a loop start their loads from global memory together.
//
// nvcc 13, as its machine code of tests/hardware/estimate shows it: a loop with a step that is not
// known runs trip by trip. Else it is unrolled: what the number of trips leaves over of 4 goes
// first, trip by trip; then 16 trips at once, and of the last ones 8 and 4. A loop that computes
// much is unrolled by 4 only.
#include <cstdint>
#include <map>
#include <vector>

#include "instrumentation/analysis/source/loop_steps.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

class LoopGroups {
  public:
    explicit LoopGroups(const Trace& trace);

    // Begins with the records of a warp between two barriers.
    void begin(const std::vector<std::uint64_t>& records);
    // Of a load from global memory, in the order of the records: whether it is the first one of a
    // group of trips, behind another group of the same loop.
    [[nodiscard]] bool begins_group(SiteId site);
    // Whether the loop around the site says which trips go together.
    [[nodiscard]] bool is_known(SiteId site) const {
        return loops_[site] != nullptr && loops_[site]->step != LoopStep::kConstantTrips;
    }
    [[nodiscard]] bool is_in_loop(SiteId site) const { return loops_[site] != nullptr; }
    // All its trips are one code.
    [[nodiscard]] bool is_unrolled(SiteId site) const {
        return loops_[site] != nullptr && loops_[site]->step == LoopStep::kConstantTrips;
    }

    // Of the same load: whether a loop of unknown trips begins with it.
    [[nodiscard]] bool begins_loop() const { return begins_loop_; }

  private:
    // One run of a loop. An inner loop runs several times: its addresses then leave their step.
    struct Run {
        std::uint32_t trips = 0, step = 0, last = 0;
        std::uint32_t first_mask = 0;
        bool uneven = false;  // lanes run it more or less often
    };
    struct Lead {  // the load that stands for its loop
        SiteId site = 0;
        std::vector<Run> runs;
        std::uint32_t instructions = 0;  // of the first trip
        std::size_t run = 0;             // of the next load
        std::uint32_t trip = 0, group = 0;
    };
    void add_trip(Lead& lead, std::uint64_t record) const;
    [[nodiscard]] std::uint32_t group_of(const Lead& lead, const Loop& loop) const;

    const Trace& trace_;
    std::vector<std::vector<Loop>> of_files_;
    std::vector<const Loop*> loops_;  // by site
    std::map<const Loop*, Lead> leads_;
    bool begins_loop_ = false;
};

}  // namespace tilereel
