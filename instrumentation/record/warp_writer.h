#pragma once
// Puts the turns of one block's warps into a batch, and decides which multiply-adds keep the value
// of their sum: every `interval`-th into each accumulator, and the last of each epoch.
#include <cstdint>
#include <vector>

#include "instrumentation/record/batch.h"
#include "instrumentation/record/kept_sums.h"
#include "instrumentation/record/warp_events.h"

namespace tilereel {

class WarpWriter {
  public:
    explicit WarpWriter(std::uint32_t interval) : sums_(interval) {}
    void begin_block(std::uint32_t warps);
    // `last`: the warp's epoch ends with this turn.
    void write(const EventRows& rows, std::uint32_t warp, bool last, Batch& batch);

  private:
    // A multiply-add that is the last of its epoch unless a later turn of the epoch has another.
    struct Pending {
        std::size_t record, value_at;
        std::uint32_t accumulator;
        std::uint32_t lanes;  // for which it is the last so far
        std::uint32_t mask;   // of the record
        LaneWords values;
    };
    void find_last_sums(const EventRows& rows);
    void write_row(const EventRows& rows, std::size_t row, std::uint32_t warp, bool last,
                   Batch& batch);
    static void write_phases(SiteId site, const std::uint32_t* words, std::uint32_t mask,
                             Batch& batch);
    void write_sum(const EventRows& rows, std::size_t row, std::uint32_t warp, bool last,
                   Batch& batch);

    KeptSums sums_;
    std::vector<std::uint32_t> last_lanes_;   // by row: lanes whose last into that sum it is
    std::vector<std::uint32_t> later_lanes_;  // by accumulator: lanes that have a later one
    std::vector<Pending> pending_;
};

}  // namespace tilereel
