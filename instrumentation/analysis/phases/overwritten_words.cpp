#include "instrumentation/analysis/phases/overwritten_words.h"

#include <bit>
#include <vector>

#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

// A bit for each word of a shared array.
using Words = std::vector<std::vector<bool>>;  // by array

// Calls visit(bits of the array, word) for each word that the record accesses, until it returns
// true; returns whether it did.
template <class Visit>
bool any_word(const Trace& trace, std::uint64_t record, Words& words, Visit&& visit) {
    dcheck(record < trace.records.size());
    const Site& site = site_at(trace, record);
    std::vector<bool>& bits = words[site.array];
    const LaneOffsets lanes = lane_offsets(trace, record);
    for (std::uint32_t left = lanes.mask; left != 0; left &= left - 1) {
        const std::uint32_t offset = lanes.bytes[std::countr_zero(left)];
        const std::uint32_t end = (offset + site.width_bytes - 1) / 4;
        if (bits.size() <= end) bits.resize(end + std::size_t{1});
        for (std::uint32_t word = offset / 4; word <= end; ++word)
            if (visit(bits, word)) return true;
    }
    return false;
}

template <class Visit>
bool any_shared(const Trace& trace, std::size_t first, std::size_t last, Operation operation,
                Words& words, Visit&& visit) {
    for (std::uint64_t record = trace.segments.record_begin[first];
         record < trace.segments.record_begin[last]; ++record) {
        const Site& site = site_at(trace, record);
        if (site.operation == operation && trace.arrays[site.array].space == Space::kShared &&
            any_word(trace, record, words, visit))
            return true;
    }
    return false;
}

}  // namespace

bool overwrites_what_it_loads(const Trace& trace, std::size_t first, std::size_t last) {
    Words loaded(trace.arrays.size());
    any_shared(trace, first, last, Operation::kLoad, loaded,
               [](std::vector<bool>& bits, std::uint32_t word) {
                   bits[word] = true;
                   return false;
               });
    return any_shared(trace, first, last, Operation::kStore, loaded,
                      [](std::vector<bool>& bits, std::uint32_t word) { return bits[word]; });
}

}  // namespace tilereel
