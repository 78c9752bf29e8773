#include "instrumentation/analysis/time/copied_sites.h"

#include <cstring>
#include <map>
#include <unordered_set>

#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// The 4-byte words that the lanes of one warp stored to shared memory.
using StoredWords = std::unordered_set<std::uint32_t>;

StoredWords stored_words(const Trace& trace, SegmentRange block, std::uint16_t warp) {
    StoredWords stored;
    for (std::size_t segment = block.first; segment < block.last; ++segment) {
        if (trace.segments.warp[segment] != warp) continue;
        std::uint64_t value = trace.segments.value_begin[segment];
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            if (!has_values(trace, record)) continue;
            const std::uint64_t count = value_count(trace, record);
            const Site& site = site_at(trace, record);
            if (site.operation == Operation::kStore &&
                trace.arrays[site.array].space == Space::kShared)
                stored.insert(trace.words.begin() + static_cast<std::ptrdiff_t>(value),
                              trace.words.begin() + static_cast<std::ptrdiff_t>(value + count));
            value += count;
        }
    }
    stored.erase(0);
    return stored;
}

// How often the warp runs each line that stores to shared memory. A load whose values were not kept
// is taken to be a copy if it runs as often as one of them: a sum of many loads is stored once.
std::unordered_set<std::uint64_t> numbers_of_stores(const Trace& trace, SegmentRange block,
                                                    std::uint16_t warp) {
    std::map<SiteId, std::uint64_t> requests;
    for (std::size_t segment = block.first; segment < block.last; ++segment) {
        if (trace.segments.warp[segment] != warp) continue;
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            const Site& site = site_at(trace, record);
            if (site.operation == Operation::kStore &&
                trace.arrays[site.array].space == Space::kShared)
                ++requests[site_of(trace, record)];
        }
    }
    std::unordered_set<std::uint64_t> numbers;
    for (const auto& [site, number] : requests) numbers.insert(number);
    return numbers;
}

}  // namespace

std::vector<bool> copied_sites(const Trace& trace, std::uint32_t block) {
    std::vector<bool> copied(trace.sites.size());
    const SegmentRange range = segments_of_block(trace, block);
    if (range.first == range.last) return copied;
    const std::uint16_t warp = trace.segments.warp[range.first];
    const StoredWords stored = stored_words(trace, range, warp);
    const std::unordered_set<std::uint64_t> stores = numbers_of_stores(trace, range, warp);
    if (stores.empty()) return copied;
    struct Count {
        std::uint64_t found = 0, of = 0;
        std::uint64_t requests = 0;
        bool values_known = true;
    };
    std::vector<Count> counts(trace.sites.size());
    for (std::size_t segment = range.first; segment < range.last; ++segment) {
        if (trace.segments.warp[segment] != warp) continue;
        for (const std::uint64_t record : records_of(trace.segments, segment)) {
            const Site& site = site_at(trace, record);
            if (site.operation != Operation::kLoad ||
                trace.arrays[site.array].space != Space::kGlobal)
                continue;
            Count& count = counts[site_of(trace, record)];
            const auto& content = trace.arrays[site.array].first_bytes;
            ++count.requests;
            count.values_known = !content.empty();
            if (content.empty()) continue;
            const LaneOffsets lanes = lane_offsets(trace, record);
            for (const std::uint32_t lane : lanes_in(lanes.mask)) {
                std::uint32_t word = 0;
                if (std::size_t{lanes.bytes[lane]} + sizeof word > content.size()) continue;
                std::memcpy(&word, &content[lanes.bytes[lane]], sizeof word);
                if (word == 0) continue;
                count.found += stored.contains(word) ? 1 : 0;
                ++count.of;
            }
        }
    }
    for (std::size_t site = 0; site < counts.size(); ++site)
        copied[site] = counts[site].values_known
                           ? counts[site].of != 0 && 2 * counts[site].found > counts[site].of
                           : stores.contains(counts[site].requests);
    return copied;
}

}  // namespace tilereel
