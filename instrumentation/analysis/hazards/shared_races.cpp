#include "instrumentation/analysis/hazards/shared_races.h"

#include <algorithm>
#include <bit>

#include "instrumentation/analysis/hazards/product_reads.h"
#include "instrumentation/base/check.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// Calls visit(lane, cell) for every cell that every active lane accesses.
template <class Visit>
void for_each_cell(const Trace& trace, std::uint32_t cell_bytes, std::uint64_t record,
                   Visit visit) {
    dcheck(record < trace.records.size());
    const LaneOffsets lanes = lane_offsets(trace, record);
    const std::uint32_t cells = site_at(trace, record).width_bytes / cell_bytes;
    for (const std::uint32_t lane : lanes_in(lanes.mask)) {
        for (std::uint32_t i = 0; i < cells; ++i) visit(lane, lanes.bytes[lane] / cell_bytes + i);
    }
}

std::uint32_t warp_of(std::uint32_t thread) { return thread / kWarpSize; }

}  // namespace

SharedRaces::SharedRaces(const Trace& trace, bool warn_within_warps, Report report)
    : trace_(trace), warn_within_warps_(warn_within_warps), report_(std::move(report)) {
    for (const Site& site : trace.sites)
        if (is_access(site.operation) && trace.arrays[site.array].space == Space::kShared)
            cell_bytes_ = std::min(cell_bytes_, std::uint32_t{site.width_bytes});
    for (const Array& array : trace.arrays)
        if (array.space == Space::kShared && others_write(array))
            written_by_others_.push_back(
                {array.base_bytes, static_cast<std::uint32_t>(array.size_bytes())});
}

// Whether other blocks of the cluster store to the array. Which elements and when, the records of
// the block itself do not tell.
bool SharedRaces::others_write(const Array& array) const {
    return std::ranges::any_of(trace_.sites, [&](const Site& site) {
        return is_access(site.operation) && writes(site.operation) &&
               trace_.arrays[site.array].space == Space::kSharedCluster &&
               trace_.arrays[site.array].name == array.name + std::string(kByRank);
    });
}

bool SharedRaces::is_shared_access(std::uint64_t record) const {
    dcheck(record < trace_.records.size());
    const Site& site = site_at(trace_, record);
    return is_access(site.operation) && trace_.arrays[site.array].space == Space::kShared;
}

void SharedRaces::make_room(std::uint32_t word) {
    if (word < head_.size()) return;
    head_.resize(word + 1, kNone);
    written_.resize(word + 1, false);
}

void SharedRaces::add_block(SegmentRange range, bool races) {
    begin_block();
    races_ = races;
    const std::vector<std::uint32_t>& epoch = trace_.segments.epoch;
    for (std::size_t first = range.first, last = range.first; first < range.last; first = last) {
        while (last < range.last && epoch[last] == epoch[first]) ++last;
        add_epoch(first, last);
    }
}

void SharedRaces::begin_block() {
    std::fill(written_.begin(), written_.end(), false);
    for (const auto& [first, bytes] : written_by_others_)
        for (std::uint32_t at = 0; at < bytes; at += cell_bytes_) {
            make_room((first + at) / cell_bytes_);
            written_[(first + at) / cell_bytes_] = true;
        }
    readable_.clear();
    copies_.clear();
    under_way_.clear();
}

void SharedRaces::add_epoch(std::size_t first, std::size_t last) {
    const Segments& segments = trace_.segments;
    block_ = segments.block[first];
    epoch_ = segments.epoch[first];
    bool stores = false, copies = !under_way_.empty();
    for (std::uint64_t record = segments.record_begin[first]; record < segments.record_begin[last];
         ++record) {
        const Operation operation = site_at(trace_, record).operation;
        stores |= is_shared_access(record) && writes(operation);
        copies |= operation == Operation::kCommitCopies;
    }
    if (stores) mark_written(first, last, false);
    check_reads(first, last);
    if (stores) mark_written(first, last, true);
    if (!races_ || (!stores && !copies)) return;  // reads alone never race
    std::uint32_t warp = 0;  // the first warp whose copies are not yet added to this epoch
    for (std::size_t segment = first; segment < last; ++segment) {
        barrier_masks_.clear();
        while (warp <= segments.warp[segment]) add_copies_under_way(warp++);
        for (const std::uint64_t record : records_of(segments, segment))
            add_record(record, segments.warp[segment]);
    }
    while (warp * kWarpSize < copies_.size()) add_copies_under_way(warp++);
    for (const std::uint32_t word : touched_) head_[word] = kNone;
    touched_.clear();
    uses_.clear();
}

void SharedRaces::mark_written(std::size_t first, std::size_t last, bool by_atomics) {
    for (std::uint64_t record = trace_.segments.record_begin[first];
         record < trace_.segments.record_begin[last]; ++record) {
        if (!is_shared_access(record)) continue;
        const Operation operation = site_at(trace_, record).operation;
        if (!writes(operation) || (operation == Operation::kAtomic) != by_atomics) continue;
        for_each_cell(trace_, cell_bytes_, record, [&](std::uint32_t, std::uint32_t word) {
            make_room(word);
            written_[word] = true;
        });
    }
}

void SharedRaces::check_reads(std::size_t first, std::size_t last) {
    for (std::size_t segment = first; segment < last; ++segment) {
        std::uint64_t value = trace_.segments.value_begin[segment];
        for (const std::uint64_t record : records_of(trace_.segments, segment)) {
            const SiteId site = site_of(trace_, record);
            if (is_warpgroup_product(trace_, record))
                check_product(record, value, trace_.segments.warp[segment]);
            if (has_values(trace_, record)) value += value_count(trace_, record);
            if (!is_shared_access(record) || !reads(trace_.sites[site].operation) ||
                trace_.sites[site].is_rest_of_word())
                continue;
            // Written words stay written: the same addresses need no second check in this block.
            const auto width = static_cast<unsigned>(
                std::countr_zero(static_cast<unsigned>(trace_.sites[site].width_bytes)));
            const std::uint64_t place = std::uint64_t{trace_.records.pattern[record]} << 35 |
                                        std::uint64_t{trace_.records.base[record]} << 3 | width;
            if (readable_.contains(place)) continue;
            bool all_written = true;
            for_each_cell(trace_, cell_bytes_, record, [&](std::uint32_t lane, std::uint32_t word) {
                make_room(word);
                if (written_[word]) return;
                all_written = false;
                const HazardParty reader{site, trace_.segments.warp[segment] * 32u + lane, record};
                report(Hazard::kNeverWritten, Severity::kError, word, reader, reader);
            });
            if (all_written) readable_.insert(place);
        }
    }
}

void SharedRaces::check_product(std::uint64_t record, std::uint64_t value, std::uint32_t warp) {
    dcheck(record < trace_.records.size());
    const HazardParty reader{site_of(trace_, record), warp * kWarpSize, record};
    for (const std::uint32_t piece : product_reads(trace_, record, value, warp))
        for (std::uint32_t i = 0; i < kMatrixPieceBytes / cell_bytes_; ++i) {
            const std::uint32_t word = piece / cell_bytes_ + i;
            make_room(word);
            if (!written_[word])
                report(Hazard::kNeverWritten, Severity::kError, word, reader, reader);
        }
}

void SharedRaces::add_record(std::uint64_t record, std::uint32_t warp) {
    dcheck(record < trace_.records.size());
    const SiteId site = site_of(trace_, record);
    if (trace_.sites[site].operation == Operation::kWarpBarrier) {
        barrier_masks_.push_back(trace_.patterns[trace_.records.pattern[record]].mask);
        return;
    }
    if (trace_.sites[site].operation == Operation::kCommitCopies ||
        trace_.sites[site].operation == Operation::kWaitCopies)
        return add_group_operation(record, warp);
    if (!is_shared_access(record)) return;
    const auto barriers = static_cast<std::uint32_t>(barrier_masks_.size());
    for_each_cell(trace_, cell_bytes_, record, [&](std::uint32_t lane, std::uint32_t word) {
        add_access(word,
                   {.record = record, .thread = warp * kWarpSize + lane, .warp_barriers = barriers},
                   site);
    });
    if (trace_.sites[site].operation != Operation::kCopyStore) return;
    if (copies_.empty()) copies_.resize(std::size_t{trace_.launch.warps()} * kWarpSize);
    for (std::uint32_t left = lane_offsets(trace_, record).mask; left != 0; left &= left - 1) {
        const Copy copy{record,
                        warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(left))};
        copies_[copy.thread].start(copy);
        for_each_word_of(
            copy, [&](std::uint32_t word) { under_way_[place_of(word, copy.thread)] = copy; });
    }
}

template <class Visit>
void SharedRaces::for_each_word_of(const Copy& copy, Visit&& visit) const {
    const std::uint32_t offset = lane_offsets(trace_, copy.record).bytes[copy.thread % kWarpSize];
    const std::uint32_t cells = site_at(trace_, copy.record).width_bytes / cell_bytes_;
    for (std::uint32_t i = 0; i < cells; ++i) visit(offset / cell_bytes_ + i);
}

// A copy that nobody has waited for may write at any time in this epoch, too.
void SharedRaces::add_copies_under_way(std::uint32_t warp) {
    if (copies_.empty()) return;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        copies_[warp * kWarpSize + lane].for_each([&](const Copy& copy) {
            const SiteId site = site_of(trace_, copy.record);
            const Access access{.record = copy.record, .thread = copy.thread, .warp_barriers = 0};
            for_each_word_of(copy, [&](std::uint32_t word) {
                for (std::uint32_t at = head_[word]; at != kNone; at = uses_[at].next)
                    if (warp_of(uses_[at].first.thread) != warp)
                        report(Hazard::kCopyUnderWay, Severity::kError, word,
                               {site, copy.thread, copy.record},
                               party_of(uses_[at].site, uses_[at].first));
                use_of(word, site, true, access).recent[0] = access;
            });
        });
}

void SharedRaces::add_group_operation(std::uint64_t record, std::uint32_t warp) {
    dcheck(record < trace_.records.size());
    if (copies_.empty()) copies_.resize(std::size_t{trace_.launch.warps()} * kWarpSize);
    const bool waits = site_at(trace_, record).operation == Operation::kWaitCopies;
    const std::uint32_t newest = trace_.records.base[record];
    for (std::uint32_t left = lane_offsets(trace_, record).mask; left != 0; left &= left - 1) {
        CopyGroups<Copy>& copies =
            copies_[warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(left))];
        if (waits)
            copies.wait(newest, [&](const Copy& copy) { complete(copy); });
        else
            copies.commit();
    }
}

// From now on the copy counts as a store that its thread has just made.
void SharedRaces::complete(const Copy& copy) {
    for_each_word_of(copy, [&](std::uint32_t word) {
        const auto found = under_way_.find(place_of(word, copy.thread));
        if (found != under_way_.end() && found->second.record == copy.record &&
            found->second.thread == copy.thread)
            under_way_.erase(found);
        if (word >= head_.size()) return;
        for (std::uint32_t at = head_[word]; at != kNone; at = uses_[at].next)
            for (Access& access : uses_[at].recent)
                if (access.record == copy.record && access.thread == copy.thread)
                    access.warp_barriers = static_cast<std::uint32_t>(barrier_masks_.size());
    });
}

// Checks an access to a word to which the same warp has a copy under way.
void SharedRaces::check_under_way(std::uint32_t word, const Access& access, SiteId site) {
    const auto found = under_way_.find(place_of(word, access.thread));
    if (found == under_way_.end()) return;
    const Copy& copy = found->second;
    if (copy.record == access.record) return;
    report(Hazard::kCopyUnderWay, Severity::kError, word,
           {site_of(trace_, copy.record), copy.thread, copy.record}, party_of(site, access));
}

// Returns the site's Use of the word. A new Use begins with `access`.
SharedRaces::Use& SharedRaces::use_of(std::uint32_t word, SiteId site, bool begun_before,
                                      const Access& access) {
    dcheck(site < trace_.sites.size());
    for (std::uint32_t at = head_[word]; at != kNone; at = uses_[at].next)
        if (uses_[at].site == site && uses_[at].begun_before == begun_before) return uses_[at];
    if (head_[word] == kNone) touched_.push_back(word);
    uses_.push_back({.site = site,
                     .writes = writes(trace_.sites[site].operation),
                     .atomic = trace_.sites[site].operation == Operation::kAtomic,
                     .begun_before = begun_before,
                     .next = head_[word],
                     .first = access});
    head_[word] = static_cast<std::uint32_t>(uses_.size() - 1);
    return uses_.back();
}

void SharedRaces::add_access(std::uint32_t word, const Access& access, SiteId site) {
    dcheck(site < trace_.sites.size());
    make_room(word);
    if (!under_way_.empty()) check_under_way(word, access, site);
    const bool writing = writes(trace_.sites[site].operation);
    const bool atomic = trace_.sites[site].operation == Operation::kAtomic;
    for (std::uint32_t at = head_[word]; at != kNone; at = uses_[at].next) {
        if (atomic && uses_[at].atomic) continue;  // two atomics never race
        if (writing || uses_[at].writes) compare(uses_[at], word, access, site);
    }
    Use& use = use_of(word, site, false, access);
    if (use.recent[0].thread != access.thread) use.recent[1] = use.recent[0];
    use.recent[0] = access;
}

void SharedRaces::compare(const Use& use, std::uint32_t word, const Access& access, SiteId site) {
    if (warp_of(use.first.thread) != warp_of(access.thread))
        report(use.begun_before ? Hazard::kCopyUnderWay : Hazard::kRace, Severity::kError, word,
               party_of(use.site, use.first), party_of(site, access));
    if (!warn_within_warps_) return;
    for (const Access& earlier : use.recent) {
        if (earlier.thread == kNone || earlier.thread == access.thread) continue;
        if (warp_of(earlier.thread) != warp_of(access.thread)) continue;
        if (earlier.record == access.record || ordered(earlier, access)) continue;
        if (is_under_way(word, earlier)) continue;  // it is reported already
        report(Hazard::kRace, Severity::kWarning, word, party_of(use.site, earlier),
               party_of(site, access));
        return;
    }
}

bool SharedRaces::is_under_way(std::uint32_t word, const Access& access) const {
    const auto found = under_way_.find(place_of(word, access.thread));
    return found != under_way_.end() && found->second.record == access.record;
}

bool SharedRaces::ordered(const Access& earlier, const Access& later) const {
    const std::uint32_t both = 1u << earlier.thread % kWarpSize | 1u << later.thread % kWarpSize;
    for (std::size_t i = earlier.warp_barriers; i < barrier_masks_.size(); ++i)
        if ((barrier_masks_[i] & both) == both) return true;
    return false;
}

void SharedRaces::report(Hazard hazard, Severity severity, std::uint32_t word, HazardParty a,
                         HazardParty b) {
    const ArrayId array = trace_.sites[a.site].array;
    Finding found{.hazard = hazard,
                  .severity = severity,
                  .block = block_,
                  .epoch = epoch_,
                  .first = a,
                  .second = b,
                  .array = array != kNoArray ? array : array_at(trace_, word * cell_bytes_)};
    report_(found, set_element(trace_, word * cell_bytes_, found));
}

}  // namespace tilereel
