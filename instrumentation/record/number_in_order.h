#pragma once
// Sums and mbarriers are first numbered in the order of their first use. In a finished trace, sums
// are numbered by local and element, and barriers by address.
#include <cstdint>
#include <map>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// For each number in the map, its rank in the order of the keys.
template <class Key>
std::vector<std::uint32_t> ranks_of(const std::map<Key, std::uint32_t>& numbers) {
    std::vector<std::uint32_t> ranks(numbers.size());
    std::uint32_t rank = 0;
    for (const auto& [key, number] : numbers) ranks[number] = rank++;
    return ranks;
}

// Renumbers the trace's records. `sums`, `barriers`: the new number of each.
void number_in_order(Trace& trace, const std::vector<std::uint32_t>& sums,
                     const std::vector<std::uint32_t>& barriers);

}  // namespace tilereel
