#pragma once
// One warp's records, as the GPU wrote them, become the rows that the emulator would have made of
// the same threads.
//
// Which lanes a GPU runs together is its own affair, and may differ from one pass to the next. What
// each lane does, in its own order, is not. So where the lanes of a turn were not all together, the
// records are taken apart into lanes and put together again by WarpEvents, as in the emulator.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/record/device/record_source.h"
#include "instrumentation/record/device/site_keys.h"
#include "instrumentation/record/warp_events.h"
#include "instrumentation/record/warp_lanes.h"

namespace tilereel {

class WarpStream {
  public:
    // The warp's records; number `first_record` of the launch is the first. `lanes`: those that it
    // has.
    void begin(std::span<const device::DeviceRecord> records, std::uint64_t first_record,
               std::uint32_t lanes);
    [[nodiscard]] bool done() const { return next_ >= records_.size(); }

    // Everything up to the next barrier of any kind, in the rows below.
    Status next_turn(RecordSource& source, SiteKeys& sites, WarpEvents& events);
    // Their clocks: when the first of the lanes did it.
    [[nodiscard]] const EventRows& rows() const { return rows_; }
    // Where the lanes stand after the turn.
    [[nodiscard]] WarpLanes& lanes() { return lanes_; }
    // When the first of `lanes` came to the barrier where it waits.
    [[nodiscard]] std::uint64_t barrier_clock(std::uint32_t lanes) const;
    // The barrier of the block has opened.
    void begin_epoch();
    // Most accumulators that a thread has added to.
    [[nodiscard]] std::uint32_t accumulators() const { return accumulators_; }

  private:
    struct Step {
        std::size_t record;
        std::uint32_t lanes;  // that did it in this turn
    };
    [[nodiscard]] bool turn_is_together(std::size_t& end);
    Status rows_together(std::size_t end, RecordSource& source, SiteKeys& sites);
    Status rows_apart(RecordSource& source, SiteKeys& sites, WarpEvents& events);
    std::size_t collect_steps();
    bool replay_lane(unsigned lane, const std::uint32_t* words, SiteKeys& sites,
                     WarpEvents& events);
    void stop_at_barrier(std::size_t record, std::uint32_t lanes);
    void find_clocks_apart();
    [[nodiscard]] bool boxes_are_asked_for(std::size_t begin, std::size_t end) const;
    bool add_boxes(const std::uint32_t* words, SiteKeys& sites);
    bool add_pieces(std::size_t box, const std::uint32_t* words, SiteKeys& sites);
    void add_row(EventKey key, SiteId site, std::uint32_t mask, const std::uint32_t* words);
    void find_last_records();
    void fall_out_of_step();
    void try_to_step_together();

    std::span<const device::DeviceRecord> records_;
    std::uint64_t first_record_ = 0;
    std::size_t next_ = 0;  // the first record that some lane has not passed
    WarpLanes lanes_;
    bool in_step_ = true;  // every ready lane goes on at next_
    bool last_is_known_ = false;
    std::array<std::size_t, kWarpSize> resume_{};      // per lane: where it goes on
    std::array<std::size_t, kWarpSize> after_last_{};  // per lane: one past its last record
    std::array<std::uint64_t, kWarpSize> barrier_clock_{};
    std::uint32_t accumulators_ = 0;

    EventRows rows_;
    std::vector<EventKey> row_keys_;
    std::vector<SiteId> row_sites_;
    std::vector<std::uint64_t> row_clocks_;
    std::vector<std::uint32_t> row_masks_, row_words_;  // where a turn has boxes
    std::vector<Step> steps_;
    std::array<std::vector<std::uint64_t>, kWarpSize> lane_clocks_;  // of its events in this turn
    std::array<std::vector<std::size_t>, kWarpSize> lane_boxes_;     // records, likewise
};

}  // namespace tilereel
