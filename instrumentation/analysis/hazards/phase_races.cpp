#include "instrumentation/analysis/hazards/phase_races.h"

#include <algorithm>
#include <bit>

#include "instrumentation/analysis/hazards/finding_table.h"
#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

Operation operation_of(const Trace& trace, std::uint64_t record) {
    dcheck(record < trace.records.size());
    return site_at(trace, record).operation;
}

}  // namespace

PhaseRaces::PhaseRaces(const Trace& trace, bool warn_within_warps, Report report)
    : trace_(trace), warn_within_warps_(warn_within_warps), report_(std::move(report)) {
    for (const Site& site : trace.sites)
        if (is_access(site.operation) && trace.arrays[site.array].space == Space::kShared)
            cell_bytes_ = std::min(cell_bytes_, std::uint32_t{site.width_bytes});
}

bool has_phases(const Trace& trace, SegmentRange block) {
    if (block.first >= block.last) return false;
    for (std::uint64_t record = trace.segments.record_begin[block.first];
         record < trace.segments.record_begin[block.last]; ++record)
        if (is_mbarrier_operation(operation_of(trace, record))) return true;
    return false;
}

template <class Visit>
void PhaseRaces::for_each_thread(std::uint64_t record, std::uint32_t warp, Visit&& visit) const {
    dcheck(record < trace_.records.size());
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
    clashes_.report(report_);
}

void PhaseRaces::begin_block(SegmentRange range) {
    block_ = trace_.segments.block[range.first];
    threads_ = trace_.launch.warps() * kWarpSize;
    components_ = threads_;
    phases_.clear();
    missing_.clear();
    cells_.clear();
    barriers_.clear();
    clashes_.clear();
    passed_early_.clear();
    boxes_.assign(trace_.launch.warps(), {});
    const Segments& segments = trace_.segments;
    for (std::size_t segment = range.first; segment < range.last; ++segment)
        for (const std::uint64_t record : records_of(segments, segment)) {
            const Operation operation = operation_of(trace_, record);
            if (!is_mbarrier_operation(operation)) continue;
            const std::uint32_t base = trace_.records.base[record];
            components_ = std::max(components_, threads_ + MBarrierPhase::of(base).barrier + 1);
            if (operation == Operation::kArrive || operation == Operation::kStartBulkCopy)
                for_each_thread(record, 0, [&](std::uint32_t) {
                    ++missing_[{base, segments.warp[segment]}];
                });
        }
    clocks_.assign(threads_, Clock(components_, 0));
    for (std::uint32_t thread = 0; thread < threads_; ++thread) clocks_[thread][thread] = 1;
}

// Advances each warp as far as possible. A wait holds a warp while its phase lacks arrivals. If all
// warps are held, those continue that lack only arrivals of lanes of their own warp, because lanes
// advance independently. If there are none, as in a trace that was cut off, all of them continue.
void PhaseRaces::add_epoch(std::size_t first, std::size_t last) {
    const Segments& segments = trace_.segments;
    epoch_ = segments.epoch[first];
    std::vector<Cursor> cursors;
    for (std::size_t segment = first; segment < last; ++segment)
        cursors.push_back({segments.record_begin[segment], segments.record_begin[segment + 1],
                           segments.warp[segment]});
    while (!cursors.empty()) {
        bool any = false;
        for (Cursor& cursor : cursors)
            while (cursor.next != cursor.end && add_record(cursor.next, cursor.warp)) {
                ++cursor.next;
                any = true;
            }
        std::erase_if(cursors, [](const Cursor& cursor) { return cursor.next == cursor.end; });
        if (!any) release_held(cursors);
    }
}

void PhaseRaces::release_held(std::vector<Cursor>& held) {
    const auto misses_others = [this](const Cursor& cursor) {
        return misses_arrivals(trace_.records.base[cursor.next], cursor.warp);
    };
    const bool all = std::ranges::all_of(held, misses_others);
    for (Cursor& cursor : held)
        if (all)
            pass_wait(cursor.next++, cursor.warp, Passed::kIncomplete);
        else if (!misses_others(cursor))
            pass_wait(cursor.next++, cursor.warp, Passed::kEarly);
}

// Whether the phase, or one before it, lacks an arrival of a warp other than `except_warp`.
bool PhaseRaces::misses_arrivals(std::uint32_t base, std::uint32_t except_warp) const {
    const std::uint32_t first = MBarrierPhase{MBarrierPhase::of(base).barrier, 0}.base();
    for (auto at = missing_.lower_bound({first, 0});
         at != missing_.end() && at->first.first <= base; ++at)
        if (at->first.second != except_warp) return true;
    return false;
}

// Returns false if the warp is held at this record.
bool PhaseRaces::add_record(std::uint64_t record, std::uint32_t warp) {
    dcheck(record < trace_.records.size());
    const Site& site = site_at(trace_, record);
    const std::uint32_t base = trace_.records.base[record];
    if (site.operation == Operation::kWaitPhase && misses_arrivals(base, kNobody)) return false;
    Box& box = boxes_[warp];
    if (!is_copy(site.operation) || site.line != box.line) box.open = false;
    if (site.operation == Operation::kArrive || site.operation == Operation::kStartBulkCopy)
        for_each_thread(record, warp, [&](std::uint32_t i) { add_use(record, i); });
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
        case Operation::kStartBulkCopy:
            for_each_thread(record, warp, [&](std::uint32_t i) {
                Clock& seen = phases_[base];
                seen.resize(components_, 0);
                join(seen, clocks_[i]);
                if (const auto missing = missing_.find({base, warp}); --missing->second == 0)
                    missing_.erase(missing);
                if (site.operation == Operation::kStartBulkCopy)
                    box = {true, base, site.line, i, clocks_[i][i]};
                ++clocks_[i][i];
            });
            return true;
        case Operation::kWaitPhase:
            pass_wait(record, warp, Passed::kComplete);
            return true;
        case Operation::kInitBarrier:
            for_each_thread(record, warp, [&](std::uint32_t i) { add_initialisation(record, i); });
            return true;
        default:
            if (is_access(site.operation) && trace_.arrays[site.array].space == Space::kShared)
                add_accesses(record, warp);
            return true;
    }
}

void PhaseRaces::pass_wait(std::uint64_t record, std::uint32_t warp, Passed passed) {
    dcheck(record < trace_.records.size());
    const std::uint32_t base = trace_.records.base[record];
    const MBarrierPhase phase = MBarrierPhase::of(base);
    const std::uint32_t component = threads_ + phase.barrier;
    boxes_[warp].open = false;
    for_each_thread(record, warp, [&](std::uint32_t i) {
        add_use(record, i);
        if (const auto seen = phases_.find(base); seen != phases_.end())
            join(clocks_[i], seen->second);
        if (passed == Passed::kIncomplete) return;
        std::uint32_t& over =
            passed == Passed::kComplete ? clocks_[i][component] : passed_early_[{i, component}];
        over = std::max(over, phase.phase + 1);
    });
}

// Adds a thread's use of a barrier. Reports each initialisation of it that is not ordered before.
void PhaseRaces::add_use(std::uint64_t record, std::uint32_t thread) {
    dcheck(record < trace_.records.size());
    BarrierOperations& barrier = barriers_[MBarrierPhase::of(trace_.records.base[record]).barrier];
    BarrierOperation use{{site_of(trace_, record), thread}, clocks_[thread][thread]};
    for (const BarrierOperation& initialisation : barrier.initialisations) {
        if (seen(initialisation, thread))
            use.initialised = true;
        else
            add_not_initialised(initialisation.by, use.by);
    }
    const auto same = std::ranges::find_if(barrier.uses, [&use](const BarrierOperation& other) {
        return other.by.site == use.by.site && other.by.thread == use.by.thread &&
               other.initialised == use.initialised;
    });
    if (same == barrier.uses.end())
        barrier.uses.push_back(use);
    else
        *same = use;
}

// Adds an initialisation of a barrier. Reports each earlier use that is not ordered before it, or
// before which there was no initialisation.
void PhaseRaces::add_initialisation(std::uint64_t record, std::uint32_t thread) {
    dcheck(record < trace_.records.size());
    BarrierOperations& barrier = barriers_[MBarrierPhase::of(trace_.records.base[record]).barrier];
    const BarrierOperation initialisation{{site_of(trace_, record), thread},
                                          clocks_[thread][thread]};
    for (const BarrierOperation& use : barrier.uses)
        if (!use.initialised || !seen(use, thread)) add_not_initialised(initialisation.by, use.by);
    barrier.initialisations.push_back(initialisation);
}

void PhaseRaces::add_not_initialised(const HazardParty& initialiser, const HazardParty& user) {
    clashes_.add({.hazard = Hazard::kNotInitialised,
                  .block = block_,
                  .epoch = epoch_,
                  .first = initialiser,
                  .second = user},
                 FindingTable::kNoElement, false);
}

// Calls visit(cell, access) for each cell that each lane accesses.
template <class Visit>
void PhaseRaces::for_each_access(std::uint64_t record, std::uint32_t warp, Visit&& visit) const {
    dcheck(record < trace_.records.size());
    const SiteId site = site_of(trace_, record);
    const LaneOffsets lanes = lane_offsets(trace_, record);
    const Box& box = boxes_[warp];
    const bool of_box = box.open && trace_.sites[site].operation == Operation::kCopyStore;
    const MBarrierPhase phase = MBarrierPhase::of(box.phase);
    for (const std::uint32_t lane : lanes_in(lanes.mask)) {
        const std::uint32_t thread = of_box ? box.thread : warp * kWarpSize + lane;
        const Access access{.record = record,
                            .site = site,
                            .thread = thread,
                            .component = of_box ? threads_ + phase.barrier : thread,
                            .seen_at = of_box ? phase.phase + 1 : clocks_[thread][thread],
                            .started_at = of_box ? box.started_at : 0};
        for (std::uint32_t i = 0; i < trace_.sites[site].width_bytes / cell_bytes_; ++i)
            visit(lanes.bytes[lane] / cell_bytes_ + i, access);
    }
}

// Accesses are visited in an order in which each comes after those that are ordered before it. Two
// are unordered if the later one has not seen the earlier one. Then it has not seen later accesses
// of that thread, either, so the latest access of each site and thread is enough. Every bulk copy
// is kept, because only an early one may be known to be under way: see compare().
void PhaseRaces::add_accesses(std::uint64_t record, std::uint32_t warp) {
    dcheck(record < trace_.records.size());
    const bool writing = writes(site_at(trace_, record).operation);
    for_each_access(record, warp, [&](std::uint32_t cell, const Access& access) {
        const Cell& known = cells_[cell];
        for (const Access& earlier : known.writes) compare(cell, earlier, access);
        if (!writing) return;
        for (const Access& earlier : known.reads) compare(cell, earlier, access);
    });
    for_each_access(record, warp, [&](std::uint32_t cell, const Access& access) {
        std::vector<Access>& known = writing ? cells_[cell].writes : cells_[cell].reads;
        const auto same = std::ranges::find_if(known, [&](const Access& other) {
            return other.thread == access.thread && other.site == access.site &&
                   other.component == access.component && access.component < threads_;
        });
        if (same == known.end())
            known.push_back(access);
        else
            *same = access;
    });
}

// The trace does not tell whether a bulk copy or an access comes first. The copy is certainly under
// way if the access is ordered after its start, if both are bulk copies, or if it belongs to the
// first phase of its barrier. Otherwise it may overwrite data in use: see ClashTable::add().
void PhaseRaces::compare(std::uint32_t cell, const Access& earlier, const Access& access) {
    const Clock& seen = clocks_[access.thread];
    if (seen[earlier.component] >= earlier.seen_at) return;
    if (const auto early = passed_early_.find({access.thread, earlier.component});
        early != passed_early_.end() && early->second >= earlier.seen_at)
        return;
    const Site &one = trace_.sites[earlier.site], &other = trace_.sites[access.site];
    if (one.operation == Operation::kAtomic && other.operation == Operation::kAtomic) return;
    const bool earlier_box = earlier.component >= threads_;
    const bool of_box = access.component >= threads_;
    const bool boxes = earlier_box || of_box;
    const bool within_warp = !boxes && earlier.thread / kWarpSize == access.thread / kWarpSize;
    if (within_warp && !warn_within_warps_) return;
    Finding found{.hazard = boxes ? Hazard::kCopyUnderWay : Hazard::kRace,
                  .severity = within_warp ? Severity::kWarning : Severity::kError,
                  .block = block_,
                  .epoch = epoch_,
                  .first = {earlier.site, earlier.thread, earlier.record},
                  .second = {access.site, access.thread, access.record},
                  .array = other.array};
    const std::uint32_t element = set_element(trace_, cell * cell_bytes_, found);
    const bool after_start = earlier_box && (earlier.thread == access.thread ||
                                             seen[earlier.thread] >= earlier.started_at);
    // `first` is the bulk copy. Of two bulk copies it is the one on the lower line, of two other
    // accesses that of the lower thread, unless their order is known.
    const auto rank = [&](const HazardParty& party) {
        return std::pair(boxes ? trace_.sites[party.site].line : 0, party.thread);
    };
    const bool swaps = earlier_box == of_box
                           ? !within_warp && !after_start && rank(found.second) < rank(found.first)
                           : of_box;
    if (swaps) std::swap(found.first, found.second);
    const Access& box = earlier_box ? earlier : access;
    clashes_.add(found, element,
                 boxes && (after_start || (earlier_box && of_box) || box.seen_at == 1));
}

void PhaseRaces::join_all() {
    Clock all(components_, 0);
    for (const Clock& clock : clocks_) join(all, clock);
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
        clocks_[thread] = all;
        ++clocks_[thread][thread];
    }
    // All threads have seen each other's accesses, but not the bulk copies that nobody has waited
    // for.
    for (auto& [cell, known] : cells_) {
        std::erase_if(known.writes, [&](const Access& access) {
            return all[access.component] >= access.seen_at;
        });
        known.reads.clear();
    }
}

void PhaseRaces::join(Clock& to, const Clock& from) const {
    for (std::size_t i = 0; i < components_; ++i) to[i] = std::max(to[i], from[i]);
}

}  // namespace tilereel
