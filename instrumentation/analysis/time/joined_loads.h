#pragma once
// Neighbouring words of shared memory that a thread reads one after another: a compiler joins them
// to loads of 8 or 16 bytes.
//
// The rule imitates nvcc 13 as the tables of tests/hardware show it: two or four loads of one place
// in the source, each 4 bytes behind the one before in every lane, whose first word is aligned to
// the joined size in every lane, with no store to shared memory and no barrier between them. An
// address that is computed by more than sums is not known to be a neighbour's.
#include <cstdint>
#include <map>
#include <vector>

#include "instrumentation/analysis/cost/request_cost.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// By site: for the first, second, .. load there of a warp between two barriers, the words to which
// the alignment of all warps' addresses allows to join it: a compiler has one code for all warps.
using JoinedWords = std::map<SiteId, std::vector<std::uint8_t>>;
[[nodiscard]] JoinedWords words_allowed(const Trace& trace, SegmentRange segments);

// By position in `records`: the words of the load that begins there; 0: joined to an earlier one.
// 1 for everything that is not joined. `records`: of one warp, between two barriers.
[[nodiscard]] std::vector<std::uint8_t> join_loads(const Trace& trace,
                                                   const std::vector<std::uint64_t>& records,
                                                   const JoinedWords& allowed);

// The cost of a load of shared memory that was joined to `words` words.
[[nodiscard]] RequestCost cost_of_joined(const Trace& trace, std::uint64_t record,
                                         std::uint8_t words, const Generation& generation);

}  // namespace tilereel
