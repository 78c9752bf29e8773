#include "instrumentation/analysis/hazards/phase_races.h"

#include <algorithm>
#include <bit>

#include "instrumentation/analysis/hazards/finding_table.h"
#include "instrumentation/analysis/hazards/product_reads.h"
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
    waits_for_copies_ = std::ranges::any_of(
        trace.sites, [](const Site& site) { return site.operation == Operation::kCommitCopies; });
}

bool needs_clocks(const Trace& trace, SegmentRange block) {
    if (block.first >= block.last) return false;
    for (std::uint64_t record = trace.segments.record_begin[block.first];
         record < trace.segments.record_begin[block.last]; ++record)
        if (is_mbarrier_operation(operation_of(trace, record)) ||
            is_warpgroup_product(trace, record))
            return true;
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
    order_.emplace(trace_, range);
    cells_.clear();
    barriers_.clear();
    clashes_.clear();
    passed_early_.clear();
    boxes_.assign(trace_.launch.warps(), {});
    committed_.assign(trace_.launch.warps(), 0);
    copies_.assign(waits_for_copies_ ? threads_ : 0, {});
    bool has_products = false;
    const Segments& segments = trace_.segments;
    for (std::size_t segment = range.first; segment < range.last; ++segment)
        for (const std::uint64_t record : records_of(segments, segment)) {
            const Operation operation = operation_of(trace_, record);
            has_products = has_products || is_warpgroup_product(trace_, record);
            if (!is_mbarrier_operation(operation)) continue;
            const std::uint32_t base = trace_.records.base[record];
            components_ = std::max(components_, threads_ + MBarrierPhase::of(base).barrier + 1);
        }
    first_group_ = components_;
    never_ = first_group_ + (trace_.launch.warps() + kWarpsOfGroup - 1) / kWarpsOfGroup;
    first_fenced_ = has_products ? never_ + 1 : 0;
    components_ = never_ + 1 + (has_products ? threads_ : 0);
    clocks_.assign(threads_, Clock(components_, 0));
    for (std::uint32_t thread = 0; thread < threads_; ++thread) clocks_[thread][thread] = 1;
}

void PhaseRaces::add_epoch(std::size_t first, std::size_t last) {
    epoch_ = trace_.segments.epoch[first];
    order_->visit_epoch(first, last, [this](const OrderedRecord& record) { add_record(record); });
}

// A thread arrives at a barrier, or starts a copy for it.
void PhaseRaces::add_start(std::uint64_t record, std::uint32_t warp) {
    const Site& site = site_at(trace_, record);
    const std::uint32_t base = trace_.records.base[record];
    for_each_thread(record, warp, [&](std::uint32_t i) {
        add_use(record, i);
        Clock& seen = phases_[base];
        seen.resize(components_, 0);
        join(seen, clocks_[i]);
        if (site.operation == Operation::kStartBulkCopy)
            boxes_[warp] = {true, base, site.line, i, clocks_[i][i], site.is_of_other_block()};
        ++clocks_[i][i];
    });
}

void PhaseRaces::add_record(const OrderedRecord& ordered) {
    const std::uint64_t record = ordered.record;
    const std::uint32_t warp = ordered.warp;
    dcheck(record < trace_.records.size());
    const Site& site = site_at(trace_, record);
    const std::uint32_t base = trace_.records.base[record];
    Box& box = boxes_[warp];
    if (!is_copy(site.operation) || site.line != box.line) box.open = false;
    switch (site.operation) {
        case Operation::kWarpBarrier: {
            Clock all(components_, 0);
            for_each_thread(record, warp, [&](std::uint32_t i) { join(all, clocks_[i]); });
            for_each_thread(record, warp, [&](std::uint32_t i) {
                clocks_[i] = all;
                ++clocks_[i][i];
            });
            return;
        }
        case Operation::kArrive:
        case Operation::kStartBulkCopy:
            add_start(record, warp);
            return;
        case Operation::kWaitPhase:
            pass_wait(record, warp, ordered.wait_end);
            return;
        case Operation::kMatrixProduct:
            if (is_warpgroup_product(trace_, record)) add_product(ordered);
            return;
        case Operation::kCommitProducts:
            ++committed_[warp];
            return;
        case Operation::kWaitProducts:
            for_each_thread(record, warp, [&](std::uint32_t i) {
                std::uint32_t& over = clocks_[i][first_group_ + warp / kWarpsOfGroup];
                over = std::max(over, committed_[warp] - std::min(base, committed_[warp]));
            });
            return;
        case Operation::kFence:
            add_fence(record, warp);
            return;
        case Operation::kCommitCopies:
        case Operation::kWaitCopies:
            add_copy_groups(record, warp);
            return;
        case Operation::kInitBarrier:
            for_each_thread(record, warp, [&](std::uint32_t i) { add_initialisation(record, i); });
            return;
        default:
            if (is_access(site.operation) && trace_.arrays[site.array].space == Space::kShared)
                add_accesses(record, warp);
            return;
    }
}

void PhaseRaces::pass_wait(std::uint64_t record, std::uint32_t warp, WaitEnd end) {
    dcheck(record < trace_.records.size());
    const std::uint32_t base = trace_.records.base[record];
    const MBarrierPhase phase = MBarrierPhase::of(base);
    const std::uint32_t component = threads_ + phase.barrier;
    boxes_[warp].open = false;
    for_each_thread(record, warp, [&](std::uint32_t i) {
        add_use(record, i);
        if (const auto seen = phases_.find(base); seen != phases_.end())
            join(clocks_[i], seen->second);
        if (end == WaitEnd::kIncomplete) return;
        std::uint32_t& over =
            end == WaitEnd::kComplete ? clocks_[i][component] : passed_early_[{i, component}];
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

// The accesses of a warp's part of a product are its first thread's.
void PhaseRaces::add_product(const OrderedRecord& ordered) {
    dcheck(ordered.record < trace_.records.size());
    const std::uint32_t thread = ordered.warp * kWarpSize;
    const Access access{.record = ordered.record,
                        .site = site_of(trace_, ordered.record),
                        .thread = thread,
                        .component = first_group_ + ordered.warp / kWarpsOfGroup,
                        .seen_at = committed_[ordered.warp] + 1,
                        .started_at = clocks_[thread][thread]};
    for (const std::uint32_t piece :
         product_reads(trace_, ordered.record, ordered.value, ordered.warp))
        for (std::uint32_t i = 0; i < kMatrixPieceBytes / cell_bytes_; ++i) {
            const std::uint32_t cell = piece / cell_bytes_ + i;
            for (const Access& earlier : cells_[cell].writes) compare(cell, earlier, access);
            keep(cell, access, false);
        }
}

// What the threads have seen so far is fenced now. Their own clocks go on, so that later stores are
// not.
void PhaseRaces::add_fence(std::uint64_t record, std::uint32_t warp) {
    dcheck(record < trace_.records.size());
    if (first_fenced_ == 0 ||
        site_at(trace_, record).variety != static_cast<std::uint8_t>(FenceKind::kAsyncProxy))
        return;
    for_each_thread(record, warp, [&](std::uint32_t i) {
        Clock& clock = clocks_[i];
        for (std::uint32_t thread = 0; thread < threads_; ++thread)
            clock[first_fenced_ + thread] = std::max(clock[first_fenced_ + thread], clock[thread]);
        ++clock[i];
    });
}

// A copy that its thread has waited for counts as a store that the thread has just made.
void PhaseRaces::add_copy_groups(std::uint64_t record, std::uint32_t warp) {
    dcheck(record < trace_.records.size());
    if (!waits_for_copies_) return;
    const bool waits = operation_of(trace_, record) == Operation::kWaitCopies;
    for_each_thread(record, warp, [&](std::uint32_t i) {
        if (!waits) return copies_[i].commit();
        copies_[i].wait(trace_.records.base[record], [&](std::uint64_t store) {
            const std::uint32_t first = lane_offsets(trace_, store).bytes[i % kWarpSize];
            for (std::uint32_t at = 0; at < site_at(trace_, store).width_bytes; at += cell_bytes_)
                for (Access& access : cells_[(first + at) / cell_bytes_].writes)
                    if (access.record == store && access.thread == i) {
                        access.component = i;
                        access.seen_at = clocks_[i][i];
                    }
        });
    });
}

// Calls visit(cell, access) for each cell that each lane accesses.
template <class Visit>
void PhaseRaces::for_each_access(std::uint64_t record, std::uint32_t warp, Visit&& visit) const {
    dcheck(record < trace_.records.size());
    const SiteId site = site_of(trace_, record);
    const LaneOffsets lanes = lane_offsets(trace_, record);
    const Box& box = boxes_[warp];
    const bool copies = trace_.sites[site].operation == Operation::kCopyStore;
    const bool of_box = box.open && copies, is_pending = copies && !of_box && waits_for_copies_;
    const MBarrierPhase phase = MBarrierPhase::of(box.phase);
    for (const std::uint32_t lane : lanes_in(lanes.mask)) {
        const std::uint32_t thread = of_box ? box.thread : warp * kWarpSize + lane;
        const Access access{.record = record,
                            .site = site,
                            .thread = thread,
                            .component = of_box       ? threads_ + phase.barrier
                                         : is_pending ? never_
                                                      : thread,
                            .seen_at = of_box       ? phase.phase + 1
                                       : is_pending ? 1
                                                    : clocks_[thread][thread],
                            .started_at = of_box       ? box.started_at
                                          : is_pending ? clocks_[thread][thread]
                                                       : 0,
                            .is_of_other_block = of_box && box.is_of_other_block};
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
        if (access.is_of_other_block) return;
        const Cell& known = cells_[cell];
        for (const Access& earlier : known.writes) compare(cell, earlier, access);
        if (!writing) return;
        for (const Access& earlier : known.reads) compare(cell, earlier, access);
    });
    for_each_access(record, warp,
                    [&](std::uint32_t cell, const Access& access) { keep(cell, access, writing); });
    if (!waits_for_copies_ || operation_of(trace_, record) != Operation::kCopyStore ||
        boxes_[warp].open)
        return;
    for_each_thread(record, warp, [&](std::uint32_t i) { copies_[i].start(record); });
}

void PhaseRaces::keep(std::uint32_t cell, const Access& access, bool writing) {
    std::vector<Access>& known = writing ? cells_[cell].writes : cells_[cell].reads;
    const auto same = std::ranges::find_if(known, [&](const Access& other) {
        return other.thread == access.thread && other.site == access.site &&
               other.component == access.component && !is_copy_access(access);
    });
    if (same == known.end())
        known.push_back(access);
    else
        *same = access;
}

// The trace does not tell whether a bulk copy or an access comes first. The copy is certainly under
// way if the access is ordered after its start, if both are bulk copies, or if it belongs to the
// first phase of its barrier. Otherwise it may overwrite data in use: see ClashTable::add().
void PhaseRaces::compare(std::uint32_t cell, const Access& earlier, const Access& access) {
    const Clock& seen = clocks_[access.thread];
    const bool of_warp = earlier.thread / kWarpSize == access.thread / kWarpSize;
    if (is_product(access) && earlier.component < threads_ &&
        (of_warp || seen[earlier.component] >= earlier.seen_at)) {
        // All lanes of a warp come to its product together.
        const Clock& fenced = of_warp ? clocks_[earlier.thread] : seen;
        if (fenced[first_fenced_ + earlier.component] < earlier.seen_at)
            add_clash(cell, Hazard::kNotFenced, earlier, access);
        return;
    }
    if (seen[earlier.component] >= earlier.seen_at) return;
    if (is_product(earlier) && (of_warp || seen[earlier.thread] >= earlier.started_at))
        return add_clash(cell, Hazard::kProductUnderWay, earlier, access);
    if (const auto early = passed_early_.find({access.thread, earlier.component});
        early != passed_early_.end() && early->second >= earlier.seen_at)
        return;
    const Site &one = trace_.sites[earlier.site], &other = trace_.sites[access.site];
    if (one.operation == Operation::kAtomic && other.operation == Operation::kAtomic) return;
    const bool earlier_box = is_copy_access(earlier), of_box = is_copy_access(access);
    const bool boxes = earlier_box || of_box;
    const bool within_warp = !boxes && !is_product(access) && !is_product(earlier) &&
                             earlier.thread / kWarpSize == access.thread / kWarpSize;
    if (within_warp && !warn_within_warps_) return;
    Finding found{.hazard = boxes ? Hazard::kCopyUnderWay : Hazard::kRace,
                  .severity = within_warp ? Severity::kWarning : Severity::kError,
                  .block = block_,
                  .epoch = epoch_,
                  .first = {earlier.site, earlier.thread, earlier.record},
                  .second = {access.site, access.thread, access.record},
                  .array = other.array == kNoArray ? one.array : other.array};
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

bool PhaseRaces::is_copy_access(const Access& access) const {
    return access.component >= threads_ && !is_product(access);
}

void PhaseRaces::add_clash(std::uint32_t cell, Hazard hazard, const Access& first,
                           const Access& second) {
    Finding found{.hazard = hazard,
                  .block = block_,
                  .epoch = epoch_,
                  .first = {first.site, first.thread, first.record},
                  .second = {second.site, second.thread, second.record},
                  .array = array_at(trace_, cell * cell_bytes_)};
    const std::uint32_t element = set_element(trace_, cell * cell_bytes_, found);
    clashes_.add(found, element, false);
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
        const auto is_over = [&](const Access& access) {
            return all[access.component] >= access.seen_at;
        };
        std::erase_if(known.writes, [&](const Access& access) {
            const bool is_fenced = first_fenced_ == 0 || access.component >= threads_ ||
                                   all[first_fenced_ + access.component] >= access.seen_at;
            return is_over(access) && is_fenced;
        });
        std::erase_if(known.reads, is_over);
    }
}

void PhaseRaces::join(Clock& to, const Clock& from) const {
    for (std::size_t i = 0; i < components_; ++i) to[i] = std::max(to[i], from[i]);
}

}  // namespace tilereel
