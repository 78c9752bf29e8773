#pragma once
// Which element of C each accumulator of a thread belongs to.
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "instrumentation/analysis/phases/element_name.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// The multiply-adds of a thread for some or all of its elements of C, until it has stored these.
struct SumRound {
    std::vector<ElementName> stored;       // elements of C, in order of the first store
    std::set<std::uint32_t> accumulators;  // that were added to
    std::uint64_t end = 0;                 // one past its last record
};
using SumRounds = std::vector<SumRound>;  // of a thread, in program order

// By thread of the block.
[[nodiscard]] std::vector<SumRounds> sum_rounds(const Trace& trace, SegmentRange block);

// The element of C to which the accumulator belongs at this record: the n-th accumulator of a round
// belongs to its n-th stored element. nullopt: it is never stored.
[[nodiscard]] std::optional<ElementName> element_of_sum(const SumRounds& rounds,
                                                        std::uint64_t record,
                                                        std::uint32_t accumulator);

}  // namespace tilereel
