#include "instrumentation/analysis/shared_races.h"

#include <algorithm>

namespace tilereel {
namespace {

// Calls visit(lane, word) for every 4-byte word that every active lane accesses.
template <class Visit>
void for_each_word(const Trace& trace, std::uint64_t record, Visit visit) {
    const LaneOffsets lanes = lane_offsets(trace, record);
    const std::uint32_t words = std::max(1u, trace.sites[site_of(trace, record)].width_bytes / 4u);
    for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        for (std::uint32_t i = 0; i < words; ++i) visit(lane, lanes.bytes[lane] / 4 + i);
    }
}

std::uint32_t warp_of(std::uint32_t thread) { return thread / kWarpSize; }

}  // namespace

bool SharedRaces::is_shared_access(std::uint64_t record) const {
    const Site& site = trace_.sites[site_of(trace_, record)];
    return (site.operation == Operation::kLoad || site.operation == Operation::kStore) &&
           trace_.arrays[site.array].space == Space::kShared;
}

void SharedRaces::make_room(std::uint32_t word) {
    if (word < head_.size()) return;
    head_.resize(word + 1, kNone);
    written_.resize(word + 1, false);
}

void SharedRaces::add_block(SegmentRange range) {
    begin_block();
    const std::vector<std::uint32_t>& epoch = trace_.segments.epoch;
    for (std::size_t first = range.first, last = range.first; first < range.last; first = last) {
        while (last < range.last && epoch[last] == epoch[first]) ++last;
        add_epoch(first, last);
    }
}

void SharedRaces::begin_block() {
    std::fill(written_.begin(), written_.end(), false);
    readable_.clear();
}

void SharedRaces::add_epoch(std::size_t first, std::size_t last) {
    const Segments& segments = trace_.segments;
    block_ = segments.block[first];
    epoch_ = segments.epoch[first];
    bool stores = false;
    for (std::uint64_t record = segments.record_begin[first]; record < segments.record_begin[last];
         ++record)
        stores |= is_shared_access(record) &&
                  trace_.sites[site_of(trace_, record)].operation == Operation::kStore;
    if (stores) mark_stores(first, last);
    check_reads(first, last);
    if (!stores) return;  // reads alone never race
    for (std::size_t segment = first; segment < last; ++segment) {
        barrier_masks_.clear();
        for (std::uint64_t record = segments.record_begin[segment];
             record < segments.record_begin[segment + 1]; ++record)
            add_record(record, segments.warp[segment]);
    }
    for (const std::uint32_t word : touched_) head_[word] = kNone;
    touched_.clear();
    uses_.clear();
}

void SharedRaces::mark_stores(std::size_t first, std::size_t last) {
    for (std::uint64_t record = trace_.segments.record_begin[first];
         record < trace_.segments.record_begin[last]; ++record) {
        if (!is_shared_access(record)) continue;
        if (trace_.sites[site_of(trace_, record)].operation != Operation::kStore) continue;
        for_each_word(trace_, record, [&](std::uint32_t, std::uint32_t word) {
            make_room(word);
            written_[word] = true;
        });
    }
}

void SharedRaces::check_reads(std::size_t first, std::size_t last) {
    for (std::size_t segment = first; segment < last; ++segment) {
        for (std::uint64_t record = trace_.segments.record_begin[segment];
             record < trace_.segments.record_begin[segment + 1]; ++record) {
            const SiteId site = site_of(trace_, record);
            if (!is_shared_access(record) || trace_.sites[site].operation != Operation::kLoad)
                continue;
            // What was written stays written: the same addresses need no second look in this block.
            const std::uint64_t place = std::uint64_t{trace_.records.pattern[record]} << 34 |
                                        std::uint64_t{trace_.records.base[record]} << 2 |
                                        (trace_.sites[site].width_bytes / 8u);
            if (readable_.contains(place)) continue;
            bool all_written = true;
            for_each_word(trace_, record, [&](std::uint32_t lane, std::uint32_t word) {
                make_room(word);
                if (written_[word]) return;
                all_written = false;
                const HazardParty reader{site, trace_.segments.warp[segment] * 32u + lane};
                report(Hazard::kNeverWritten, Severity::kError, word, reader, reader);
            });
            if (all_written) readable_.insert(place);
        }
    }
}

void SharedRaces::add_record(std::uint64_t record, std::uint32_t warp) {
    const SiteId site = site_of(trace_, record);
    if (trace_.sites[site].operation == Operation::kWarpBarrier) {
        barrier_masks_.push_back(trace_.patterns[trace_.records.pattern[record]].mask);
        return;
    }
    if (!is_shared_access(record)) return;
    const auto barriers = static_cast<std::uint32_t>(barrier_masks_.size());
    for_each_word(trace_, record, [&](std::uint32_t lane, std::uint32_t word) {
        add_access(word,
                   {.record = record, .thread = warp * kWarpSize + lane, .warp_barriers = barriers},
                   site);
    });
}

void SharedRaces::add_access(std::uint32_t word, const Access& access, SiteId site) {
    const bool writes = trace_.sites[site].operation == Operation::kStore;
    make_room(word);
    std::uint32_t own = kNone;
    for (std::uint32_t at = head_[word]; at != kNone; at = uses_[at].next) {
        if (writes || uses_[at].writes) compare(uses_[at], word, access, site);
        if (uses_[at].site == site) own = at;
    }
    if (own == kNone) {
        if (head_[word] == kNone) touched_.push_back(word);
        own = static_cast<std::uint32_t>(uses_.size());
        uses_.push_back({.site = site, .writes = writes, .next = head_[word], .first = access});
        head_[word] = own;
    }
    Use& use = uses_[own];
    if (use.recent[0].thread != access.thread) use.recent[1] = use.recent[0];
    use.recent[0] = access;
}

void SharedRaces::compare(const Use& use, std::uint32_t word, const Access& access, SiteId site) {
    if (warp_of(use.first.thread) != warp_of(access.thread))
        report(Hazard::kRace, Severity::kError, word, {use.site, use.first.thread},
               {site, access.thread});
    if (!warn_within_warps_) return;
    for (const Access& earlier : use.recent) {
        if (earlier.thread == kNone || earlier.thread == access.thread) continue;
        if (warp_of(earlier.thread) != warp_of(access.thread)) continue;
        if (earlier.record == access.record || ordered(earlier, access)) continue;
        report(Hazard::kRace, Severity::kWarning, word, {use.site, earlier.thread},
               {site, access.thread});
        return;
    }
}

bool SharedRaces::ordered(const Access& earlier, const Access& later) const {
    const std::uint32_t both = 1u << earlier.thread % kWarpSize | 1u << later.thread % kWarpSize;
    for (std::size_t i = earlier.warp_barriers; i < barrier_masks_.size(); ++i)
        if ((barrier_masks_[i] & both) == both) return true;
    return false;
}

void SharedRaces::report(Hazard hazard, Severity severity, std::uint32_t word, HazardParty a,
                         HazardParty b) {
    Finding found{.hazard = hazard,
                  .severity = severity,
                  .block = block_,
                  .epoch = epoch_,
                  .first = a,
                  .second = b,
                  .array = trace_.sites[a.site].array};
    const Array& array = trace_.arrays[found.array];
    const std::uint32_t element = (word * 4 - array.base_bytes) / std::max(1u, array.element_bytes);
    const std::uint32_t row_elements = std::max(1u, array.leading_dimension);
    found.row = element / row_elements;
    found.column = element % row_elements;
    report_(found, word);
}

}  // namespace tilereel
