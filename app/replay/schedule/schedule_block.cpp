#include "app/replay/schedule/schedule_block.h"

#include <unordered_map>
#include <unordered_set>

#include "app/replay/schedule/replayed_trace.h"
#include "app/replay/schedule/schedule_by_clocks.h"
#include "app/replay/schedule/schedule_phases.h"
#include "instrumentation/trace/copy_groups.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// The remaining records of a warp in the epoch that is scheduled.
struct WarpCursor {
    std::uint64_t next = 0;         // record of the next request
    std::uint64_t at = 0, end = 0;  // records: where the warp is, where its segment ends
    std::uint32_t segment = 0;      // from the block's first
    std::uint16_t warp = 0;
    std::vector<std::uint64_t> arriving;  // copies for which `at` waits, in reverse order
    bool held = false;                    // `at` waits for an mbarrier phase that is not complete
    std::uint64_t deferred_from = 0;      // records from here on take effect with the next request
    std::uint32_t last_step = kNoStep;
};

// The copies of a warp: their storing records, by lane.
struct CopiesOfWarp {
    std::array<CopyGroups<std::uint64_t>, kWarpSize> by_lane;
    std::unordered_set<std::uint64_t> arrived;
    bool in_box = false;          // the current copy is part of a box (a bulk copy of the TMA)
    std::uint32_t box_phase = 0;  // the mbarrier phase that counts the box
    std::uint32_t box_line = 0;   // the line of the box
};

// A phase of an mbarrier.
struct PhaseOfBarrier {
    std::uint64_t missing = 0;          // arrivals, and records of boxes, that are still to come
    std::vector<std::uint64_t> copies;  // storing records under way
    std::size_t landing = 0;  // storing records that a warp took from `copies`, not yet scheduled
};

class Scheduler {
  public:
    Scheduler(const Trace& trace, const BlockRecords& records, const BlockPhases& phases,
              const Generation& generation)
        : trace_(trace),
          records_(records),
          phases_(phases),
          cost_(trace, generation),
          measured_(!trace.records.clock.empty()) {}

    Schedule run() {
        const Segments& segments = trace_.segments;
        count_arrivals();
        schedule_.lead_end.reserve(records_.segments.last - records_.segments.first);
        for (std::size_t first = records_.segments.first; first < records_.segments.last;) {
            std::size_t last = first;
            while (last < records_.segments.last && segments.epoch[last] == segments.epoch[first])
                ++last;
            schedule_epoch({first, last});
            first = last;
        }
        if (measured_) stretch_by_clocks(trace_, records_, schedule_);
        return std::move(schedule_);
    }

  private:
    [[nodiscard]] const Site& site(std::uint64_t record) const { return site_at(trace_, record); }
    // Advances the warp from `record` to its next request: an access, or a copy that arrives at a
    // wait.
    void go_on(WarpCursor& cursor, std::uint64_t record) {
        cursor.held = false;
        for (; record < cursor.end; ++record) {
            const Operation operation = site(record).operation;
            if (operation == Operation::kWaitPhase) {
                if (other_lanes_wait(record, cursor.end)) continue;
                cursor.held = is_missing(record) && !release_held_;
                if (cursor.held) break;
                cursor.arriving = arriving_in_phase(record);
            } else if (operation == Operation::kWaitCopies) {
                cursor.arriving = arriving_at(record, cursor.warp);
            } else {
                note_copies(record, cursor.warp);
            }
            const bool requests =
                accesses(trace_, site(record)) && operation != Operation::kCopyStore;
            if (requests || !cursor.arriving.empty()) break;
        }
        cursor.at = record;
        cursor.next = cursor.arriving.empty() ? record : cursor.arriving.back();
    }

    // Whether other lanes of the warp come to the same wait later, after they have arrived at
    // another barrier or started copies. The warp waits when the last of its lanes does: what these
    // lanes do before may be what all others wait for.
    [[nodiscard]] bool other_lanes_wait(std::uint64_t wait, std::uint64_t end) const {
        const auto lanes = [&](std::uint64_t record) {
            return trace_.patterns[trace_.records.pattern[record]].mask;
        };
        for (std::uint64_t record = wait + 1; record < end; ++record) {
            const Operation operation = site(record).operation;
            if (operation == Operation::kWaitPhase)
                return trace_.records.base[record] == trace_.records.base[wait] &&
                       (lanes(record) & lanes(wait)) == 0;
            if (operation != Operation::kArrive && operation != Operation::kStartBulkCopy &&
                !is_copy(operation))
                return false;
        }
        return false;
    }

    template <class Visit>
    void for_each_lane(std::uint64_t record, Visit&& visit) const {
        for (std::uint32_t left = trace_.patterns[trace_.records.pattern[record]].mask; left != 0;
             left &= left - 1)
            visit(static_cast<std::size_t>(std::countr_zero(left)));
    }

    // Counts what each phase waits for: arrivals of lanes, and records of boxes.
    void count_arrivals() {
        std::unordered_map<std::uint16_t, CopiesOfWarp> boxes;
        for (std::size_t segment = records_.segments.first; segment < records_.segments.last;
             ++segment) {
            CopiesOfWarp& box = boxes[trace_.segments.warp[segment]];
            for (const std::uint64_t record : records_of(trace_.segments, segment)) {
                note_box(record, box);
                const Operation operation = site(record).operation;
                if (operation == Operation::kArrive)
                    for_each_lane(record, [&](std::size_t) {
                        ++phases_of_barriers_[trace_.records.base[record]].missing;
                    });
                if (operation == Operation::kCopyStore && box.in_box)
                    ++phases_of_barriers_[box.box_phase].missing;
            }
        }
    }

    // Notes the box to which the record belongs, if any.
    void note_box(std::uint64_t record, CopiesOfWarp& copies) const {
        if (site(record).operation == Operation::kStartBulkCopy) {
            copies.in_box = true;
            copies.box_phase = trace_.records.base[record];
            copies.box_line = site(record).line;
        } else if (!is_copy(site(record).operation) || site(record).line != copies.box_line) {
            copies.in_box = false;
        }
    }

    [[nodiscard]] bool is_missing(std::uint64_t wait) const {
        const auto found = phases_of_barriers_.find(trace_.records.base[wait]);
        return found != phases_of_barriers_.end() &&
               (found->second.missing != 0 || found->second.landing != 0);
    }

    // The boxes of a phase land at its first wait.
    std::vector<std::uint64_t> arriving_in_phase(std::uint64_t wait) {
        const auto found = phases_of_barriers_.find(trace_.records.base[wait]);
        if (found == phases_of_barriers_.end()) return {};
        std::vector<std::uint64_t> arriving = std::move(found->second.copies);
        found->second.copies.clear();
        found->second.landing = arriving.size();
        std::ranges::sort(arriving, std::greater{});
        return arriving;
    }

    void note_copies(std::uint64_t record, std::uint16_t warp) {
        const Operation operation = site(record).operation;
        note_box(record, copies_[warp]);
        if (operation == Operation::kArrive) {
            std::uint64_t& missing = phases_of_barriers_[trace_.records.base[record]].missing;
            for_each_lane(record, [&](std::size_t) { --missing; });
        }
        if (operation == Operation::kCopyStore && copies_[warp].in_box) {
            PhaseOfBarrier& phase = phases_of_barriers_[copies_[warp].box_phase];
            phase.copies.push_back(record);
            --phase.missing;
            return;
        }
        if (operation == Operation::kCopyStore)
            for_each_lane(record,
                          [&](std::size_t lane) { copies_[warp].by_lane[lane].start(record); });
        if (operation == Operation::kCommitCopies)
            for_each_lane(record, [&](std::size_t lane) { copies_[warp].by_lane[lane].commit(); });
    }

    // A copy arrives at the first wait of any of its lanes.
    std::vector<std::uint64_t> arriving_at(std::uint64_t wait, std::uint16_t warp) {
        CopiesOfWarp& copies = copies_[warp];
        std::vector<std::uint64_t> arriving;
        for_each_lane(wait, [&](std::size_t lane) {
            copies.by_lane[lane].wait(trace_.records.base[wait], [&](std::uint64_t record) {
                if (copies.arrived.insert(record).second) arriving.push_back(record);
            });
        });
        std::ranges::sort(arriving, std::greater{});
        return arriving;
    }

    void schedule_epoch(SegmentRange range) {
        EpochSpan epoch{schedule_.ticks, static_cast<std::uint32_t>(schedule_.steps.size()), 0,
                        range};
        std::vector<WarpCursor> cursors;
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            WarpCursor cursor{
                .end = trace_.segments.record_begin[segment + 1],
                .segment = static_cast<std::uint32_t>(segment - records_.segments.first),
                .warp = trace_.segments.warp[segment],
                .arriving = {}};
            go_on(cursor, trace_.segments.record_begin[segment]);
            cursor.deferred_from = cursor.at;
            schedule_.lead_end.push_back(cursor.at);
            if (cursor.at < cursor.end) cursors.push_back(std::move(cursor));
        }
        take_all(cursors);
        epoch.last_step = static_cast<std::uint32_t>(schedule_.steps.size());
        schedule_.epochs.push_back(epoch);
        add_barrier(range);
    }

    // Schedules the requests in the order of their clocks. Each warp keeps its own order.
    void take_by_clock(std::vector<WarpCursor>& cursors) {
        while (!cursors.empty()) {
            const auto earliest =
                std::ranges::min_element(cursors, {}, [&](const WarpCursor& cursor) {
                    return std::pair(cursor.held, trace_.records.clock[cursor.at]);
                });
            release_held_ = earliest->held;  // no other warp can go on: the trace was cut off
            if (may_take(*earliest)) take(*earliest);
            release_held_ = false;
            for (WarpCursor& cursor : cursors)
                if (cursor.held) static_cast<void>(may_take(cursor));
            std::erase_if(cursors,
                          [](const WarpCursor& cursor) { return cursor.at == cursor.end; });
        }
    }

    // Whether the warp has a request that it can make now. A held warp goes on if its phase is
    // complete.
    bool may_take(WarpCursor& cursor) {
        if (!cursor.held) return cursor.at != cursor.end;
        go_on(cursor, cursor.at);
        if (cursor.held) return false;
        if (cursor.at != cursor.end) return true;
        // No request is left: the remaining records take effect with the last one.
        const std::uint32_t last = cursor.last_step;
        (last == kNoStep ? schedule_.lead_end[cursor.segment] : schedule_.deferred_end[last]) =
            cursor.end;
        return false;
    }

    void take_all(std::vector<WarpCursor>& cursors) {
        if (measured_) return take_by_clock(cursors);
        if (trace_.launch.order == ThreadOrder::kWarpsBackward) std::ranges::reverse(cursors);
        const bool round_robin = trace_.launch.order == ThreadOrder::kRoundRobin;
        while (!cursors.empty()) {
            const std::size_t steps = schedule_.steps.size(), left = cursors.size();
            for (WarpCursor& cursor : cursors) {
                bool more = may_take(cursor);
                for (; more; more = !round_robin && may_take(cursor)) take(cursor);
            }
            std::erase_if(cursors,
                          [](const WarpCursor& cursor) { return cursor.at == cursor.end; });
            // If no warp could go on, as in a trace that was cut off, held warps are released.
            release_held_ = steps == schedule_.steps.size() && left == cursors.size();
        }
        release_held_ = false;
    }

    void take(WarpCursor& cursor) {
        const RequestCost& cost = cost_(cursor.next);
        Step step;
        step.record = cursor.next;
        step.begin = schedule_.ticks;
        step.ticks =  // measured time is found when all steps are known
            measured_ ? 1 : std::max(cost.wavefronts + cost.lines, 1u);  // one of them is 0
        const std::size_t segment = records_.segments.first + cursor.segment;
        step.warp = cursor.warp;
        step.site = site_of(trace_, cursor.next);
        step.epoch = trace_.segments.epoch[segment];
        step.phase = phases_.phase[cursor.at - records_.first];
        step.part = phases_.part[cursor.at - records_.first];
        schedule_.steps.push_back(step);
        schedule_.costs.push_back(cost);
        schedule_.segment.push_back(cursor.segment);
        schedule_.runs_at.push_back(cursor.at);
        if (!cursor.arriving.empty()) {
            cursor.arriving.pop_back();
            if (site(cursor.at).operation == Operation::kWaitPhase)
                --phases_of_barriers_[trace_.records.base[cursor.at]].landing;
        }
        const bool more_arrive = !cursor.arriving.empty();
        schedule_.deferred_begin.push_back(cursor.deferred_from);
        cursor.last_step = static_cast<std::uint32_t>(schedule_.steps.size() - 1);
        if (more_arrive)
            cursor.next = cursor.arriving.back();
        else
            go_on(cursor, cursor.at + 1);
        schedule_.deferred_end.push_back(cursor.at);
        cursor.deferred_from = cursor.at;
        schedule_.ticks = step.end();
    }

    void add_barrier(SegmentRange range) {
        for (std::size_t segment = range.first; segment < range.last; ++segment) {
            const std::uint64_t end = trace_.segments.record_begin[segment + 1];
            if (end == trace_.segments.record_begin[segment]) continue;
            if (site(end - 1).operation != Operation::kBarrier) continue;
            schedule_.barriers.push_back(
                {schedule_.ticks, trace_.segments.epoch[segment], site(end - 1).line});
            return;
        }
    }

    const Trace& trace_;
    const BlockRecords& records_;
    const BlockPhases& phases_;
    CostCache cost_;
    bool measured_;
    std::unordered_map<std::uint16_t, CopiesOfWarp> copies_;                // by warp
    std::unordered_map<std::uint32_t, PhaseOfBarrier> phases_of_barriers_;  // by Records::base
    bool release_held_ = false;  // held warps go on although their phase is not complete
    Schedule schedule_;
};

}  // namespace

Schedule schedule_block(const Trace& trace, const BlockRecords& records, const BlockPhases& phases,
                        const Generation& generation) {
    Schedule schedule = Scheduler(trace, records, phases, generation).run();
    schedule.phases = std::max<std::uint32_t>(phases.count, 1);
    schedule.spans = find_spans(schedule);
    schedule.phase_begin = find_phase_begins(schedule);
    schedule.steps_until_phase_done = find_phase_ends(trace, records, phases, schedule);
    std::uint32_t lines = 0;
    for (const Site& site : trace.sites) lines = std::max(lines, site.line);
    schedule.ticks_of_line.assign(lines + std::size_t{1}, 0);
    for (const Step& step : schedule.steps)
        schedule.ticks_of_line[trace.sites[step.site].line] += step.ticks;
    return schedule;
}

std::optional<Tick> modelled_ticks(const Trace& trace, std::uint32_t block,
                                   const Generation& generation) {
    const ReplayedTrace replayed(trace, block);
    const Trace& played = replayed.trace();
    const Schedule schedule = schedule_block(played, records_of_block(played, block),
                                             phases_of_block(played, block), generation);
    if (schedule.cycles_per_tick != 0) return std::nullopt;
    return schedule.ticks;
}

}  // namespace tilereel
