#include "instrumentation/analysis/time/counting_atomics.h"

#include <algorithm>
#include <map>
#include <utility>

#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

bool may_count(const Trace& trace, std::uint64_t record) {
    const Site& site = site_at(trace, record);
    if (site.operation != Operation::kAtomic || site.width_bytes != 4 || !has_values(trace, record))
        return false;
    const Array& array = trace.arrays[site.array];
    return (site.atomic() == AtomicKind::kAdd || site.atomic() == AtomicKind::kIncrement) &&
           array.space == Space::kShared &&
           (array.type == ElementType::kInt32 || array.type == ElementType::kUint32);
}

struct CountedValues {
    std::uint32_t least = 0, most = 0, count = 0;
    void add(std::uint32_t value) {
        least = count == 0 ? value : std::min(least, value);
        most = count == 0 ? value : std::max(most, value);
        ++count;
    }
    [[nodiscard]] bool follow_one_another() const { return most - least == count - 1; }
};

}  // namespace

std::vector<bool> counting_sites(const Trace& trace, std::uint32_t block) {
    std::map<std::pair<SiteId, std::uint32_t>, CountedValues> found;  // by site and offset
    const SegmentRange range = segments_of_block(trace, block);
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        std::uint64_t value = trace.segments.value_begin[segment];
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            if (!has_values(trace, record)) continue;
            if (may_count(trace, record)) {
                const LaneOffsets lanes = lane_offsets(trace, record);
                std::uint64_t next = value;
                for (const std::uint32_t lane : lanes_in(lanes.mask))
                    found[{site_of(trace, record), lanes.bytes[lane]}].add(trace.words[next++]);
            }
            value += value_count(trace, record);
        }
    }
    std::vector<bool> counts(trace.sites.size());
    for (const auto& [place, values] : found) counts[place.first] = true;
    for (const auto& [place, values] : found)
        if (!values.follow_one_another()) counts[place.first] = false;
    return counts;
}

}  // namespace tilereel
