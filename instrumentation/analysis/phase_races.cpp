#include "instrumentation/analysis/phase_races.h"

#include <algorithm>
#include <bit>

#include "instrumentation/analysis/finding_table.h"

namespace tilereel {
namespace {

Operation operation_of(const Trace& trace, std::uint64_t record) {
    return trace.sites[site_of(trace, record)].operation;
}

}  // namespace

bool has_phases(const Trace& trace, SegmentRange block) {
    if (block.first >= block.last) return false;
    for (std::uint64_t record = trace.segments.record_begin[block.first];
         record < trace.segments.record_begin[block.last]; ++record)
        if (is_of_phase(operation_of(trace, record))) return true;
    return false;
}

template <class Visit>
void PhaseRaces::for_each_thread(std::uint64_t record, std::uint32_t warp, Visit&& visit) const {
    for (std::uint32_t left = trace_.patterns[trace_.records.pattern[record]].mask; left != 0;
         left &= left - 1)
        visit(warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(left)));
}

void PhaseRaces::add_block(SegmentRange range) {
    begin_block(range);
    const std::vector<std::uint32_t>& epoch = trace_.segments.epoch;
    for (std::size_t first = range.first, last = range.first; first < range.last; first = last) {
        while (last < range.last && epoch[last] == epoch[first]) ++last;
        add_epoch(first, last);
        join_all();  // at the block's barrier
    }
}

void PhaseRaces::begin_block(SegmentRange range) {
    block_ = trace_.segments.block[range.first];
    threads_ = trace_.launch.warps() * kWarpSize;
    components_ = threads_;
    phases_.clear();
    missing_.clear();
    words_.clear();
    made_.clear();
    boxes_.assign(trace_.launch.warps(), {});
    for (std::uint64_t record = trace_.segments.record_begin[range.first];
         record < trace_.segments.record_begin[range.last]; ++record) {
        const Operation operation = operation_of(trace_, record);
        if (!is_of_phase(operation)) continue;
        const std::uint32_t base = trace_.records.base[record];
        components_ = std::max(components_, threads_ + ArrivalPhase::of(base).barrier + 1);
        if (operation == Operation::kArrive || operation == Operation::kStartBox)
            for_each_thread(record, 0, [&](std::uint32_t) { ++missing_[base]; });
    }
    note_makers(range);
    clocks_.assign(threads_, Clock(components_, 0));
    for (std::uint32_t thread = 0; thread < threads_; ++thread) clocks_[thread][thread] = 1;
}

// Who makes each barrier: known before the first record, because warps are looked at one after
// another and the maker's turn may come last.
void PhaseRaces::note_makers(SegmentRange range) {
    const Segments& segments = trace_.segments;
    for (std::size_t segment = range.first; segment < range.last; ++segment)
        for (std::uint64_t record = segments.record_begin[segment];
             record < segments.record_begin[segment + 1]; ++record) {
            if (operation_of(trace_, record) != Operation::kMakeBarrier) continue;
            const std::uint32_t barrier = ArrivalPhase::of(trace_.records.base[record]).barrier;
            for_each_thread(record, segments.warp[segment], [&](std::uint32_t thread) {
                made_.try_emplace(barrier, Made{.by = {site_of(trace_, record), thread}});
            });
        }
}

// Each warp as far as it gets: held where a phase still misses arrivals. Where all are held, as in
// half a trace, the first goes on.
void PhaseRaces::add_epoch(std::size_t first, std::size_t last) {
    const Segments& segments = trace_.segments;
    epoch_ = segments.epoch[first];
    std::vector<Cursor> cursors;
    for (std::size_t segment = first; segment < last; ++segment)
        cursors.push_back({segments.record_begin[segment], segments.record_begin[segment + 1],
                           segments.warp[segment]});
    bool holds = true;
    while (!cursors.empty()) {
        bool any = false;
        for (Cursor& cursor : cursors)
            while (cursor.next != cursor.end && add_record(cursor.next, cursor.warp, holds)) {
                ++cursor.next;
                any = holds = true;
            }
        std::erase_if(cursors, [](const Cursor& cursor) { return cursor.next == cursor.end; });
        if (!any) holds = false;
    }
}

// False: the warp is held there.
bool PhaseRaces::add_record(std::uint64_t record, std::uint32_t warp, bool holds) {
    const Site& site = trace_.sites[site_of(trace_, record)];
    const std::uint32_t base = trace_.records.base[record];
    if (holds && site.operation == Operation::kWaitPhase && missing_.contains(base) &&
        missing_[base] != 0)
        return false;
    Box& box = boxes_[warp];
    if (!is_copy(site.operation) || site.line != box.line) box.open = false;
    if (is_of_phase(site.operation) && site.operation != Operation::kMakeBarrier)
        for_each_thread(record, warp, [&](std::uint32_t i) { check_made(record, i); });
    switch (site.operation) {
        case Operation::kWarpBarrier: {
            Clock all(components_, 0);
            for_each_thread(record, warp, [&](std::uint32_t i) { join(all, clocks_[i]); });
            for_each_thread(record, warp, [&](std::uint32_t i) {
                clocks_[i] = all;
                ++clocks_[i][i];
            });
            return true;
        }
        case Operation::kArrive:
        case Operation::kStartBox:
            for_each_thread(record, warp, [&](std::uint32_t i) {
                Clock& seen = phases_[base];
                seen.resize(components_, 0);
                join(seen, clocks_[i]);
                --missing_[base];
                if (site.operation == Operation::kArrive)
                    ++clocks_[i][i];
                else
                    box = {true, base, site.line, i};
            });
            return true;
        case Operation::kWaitPhase: {
            const ArrivalPhase phase = ArrivalPhase::of(base);
            for_each_thread(record, warp, [&](std::uint32_t i) {
                if (const auto seen = phases_.find(base); seen != phases_.end())
                    join(clocks_[i], seen->second);
                std::uint32_t& over = clocks_[i][threads_ + phase.barrier];
                over = std::max(over, phase.phase + 1);
            });
            return true;
        }
        case Operation::kMakeBarrier:
            for_each_thread(record, warp, [&](std::uint32_t i) {
                made_[ArrivalPhase::of(base).barrier] = {{site_of(trace_, record), i},
                                                         clocks_[i][i]};
            });
            return true;
        default:
            if (is_access(site.operation) && trace_.arrays[site.array].space == Space::kShared)
                add_accesses(record, warp);
            return true;
    }
}

// Whoever uses a barrier must have seen that it was made.
void PhaseRaces::check_made(std::uint64_t record, std::uint32_t thread) {
    const auto made = made_.find(ArrivalPhase::of(trace_.records.base[record]).barrier);
    if (made == made_.end()) return;
    const auto& [by, seen_at] = made->second;
    const bool made_already = seen_at != 0;
    if (made_already && (by.thread == thread || clocks_[thread][by.thread] >= seen_at)) return;
    report_({.hazard = Hazard::kNotMade,
             .block = block_,
             .epoch = epoch_,
             .first = by,
             .second = {site_of(trace_, record), thread}},
            FindingTable::kNoWord);
}

void PhaseRaces::add_accesses(std::uint64_t record, std::uint32_t warp) {
    const SiteId site = site_of(trace_, record);
    const LaneOffsets lanes = lane_offsets(trace_, record);
    const Box& box = boxes_[warp];
    const bool of_box = box.open && trace_.sites[site].operation == Operation::kCopyStore;
    const ArrivalPhase phase = ArrivalPhase::of(box.phase);
    for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const std::uint32_t thread = of_box ? box.thread : warp * kWarpSize + lane;
        const Access access{.record = record,
                            .site = site,
                            .thread = thread,
                            .component = of_box ? threads_ + phase.barrier : thread,
                            .seen_at = of_box ? phase.phase + 1 : clocks_[thread][thread]};
        for (std::uint32_t i = 0; i < trace_.sites[site].words(); ++i)
            add_access(lanes.bytes[lane] / 4 + i, access, writes(trace_.sites[site].operation));
    }
}

// What is ordered before a write is ordered before all that this write is ordered before.
void PhaseRaces::add_access(std::uint32_t word, const Access& access, bool writes) {
    Word& known = words_[word];
    for (const Access& earlier : known.writes) compare(word, earlier, access);
    if (writes) {
        for (const Access& earlier : known.reads) compare(word, earlier, access);
        known.reads.clear();
        known.writes = {access};
        return;
    }
    const auto same = std::ranges::find(known.reads, access.thread, &Access::thread);
    if (same == known.reads.end())
        known.reads.push_back(access);
    else
        *same = access;
}

void PhaseRaces::compare(std::uint32_t word, const Access& earlier, const Access& access) {
    if (earlier.record == access.record) return;
    if (clocks_[access.thread][earlier.component] >= earlier.seen_at) return;
    const bool under_way = earlier.component >= threads_;
    const bool of_box = access.component >= threads_;
    const bool within_warp =
        !under_way && !of_box && earlier.thread / kWarpSize == access.thread / kWarpSize;
    if (within_warp && !warn_within_warps_) return;
    const ArrayId array = trace_.sites[access.site].array;
    const Array& shown = trace_.arrays[array];
    const std::uint32_t element = (word * 4 - shown.base_bytes) / std::max(1u, shown.element_bytes);
    const std::uint32_t row_elements = std::max(1u, shown.leading_dimension);
    report_({.hazard = under_way ? Hazard::kCopyUnderWay : Hazard::kRace,
             .severity = within_warp ? Severity::kWarning : Severity::kError,
             .block = block_,
             .epoch = epoch_,
             .first = {earlier.site, earlier.thread},
             .second = {access.site, access.thread},
             .array = array,
             .row = element / row_elements,
             .column = element % row_elements},
            word);
}

void PhaseRaces::join_all() {
    Clock all(components_, 0);
    for (const Clock& clock : clocks_) join(all, clock);
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
        clocks_[thread] = all;
        ++clocks_[thread][thread];
    }
}

void PhaseRaces::join(Clock& to, const Clock& from) const {
    for (std::size_t i = 0; i < components_; ++i) to[i] = std::max(to[i], from[i]);
}

}  // namespace tilereel
