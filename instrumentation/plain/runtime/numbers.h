#pragma once
// Sums and barriers in shared memory are numbered as they are first met. In a finished trace they
// are numbered as they lie: the elements of a local array in order, barriers by their address.
#include <cstdint>
#include <map>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel::plain {

// By the number of each, its rank in the order of the map.
template <class Key>
std::vector<std::uint32_t> ranks_of(const std::map<Key, std::uint32_t>& numbers) {
    std::vector<std::uint32_t> ranks(numbers.size());
    std::uint32_t rank = 0;
    for (const auto& [key, number] : numbers) ranks[number] = rank++;
    return ranks;
}

// The new number of each sum and of each barrier.
void number_in_order(Trace& trace, const std::vector<std::uint32_t>& sums,
                     const std::vector<std::uint32_t>& barriers);

}  // namespace tilereel::plain
