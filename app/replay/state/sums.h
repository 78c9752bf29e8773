#pragma once
// Finds the element of C to which each accumulator of each thread is stored.
#include <span>

#include "app/replay/elements.h"

namespace tilereel {

struct SumMap {
    CellRect c_rect;  // elements of C that the block stores
    std::uint32_t accumulators = 1;
    // [thread * accumulators + accumulator]: row-major index in c_rect; kNoElement if the sum is
    // never stored to C.
    std::vector<std::uint32_t> element;
    // A thread may use its accumulators for several parts of C, one after another. A round ends
    // with the stores of one part.
    struct Round {
        std::uint64_t end = 0;               // one past its last record
        std::vector<std::uint32_t> element;  // by accumulator
    };
    // By thread; empty: `element` is valid for all records of the thread.
    std::vector<std::vector<Round>> rounds;

    [[nodiscard]] std::size_t size() const {
        return std::size_t{c_rect.row1 - c_rect.row0} * (c_rect.column1 - c_rect.column0);
    }
    [[nodiscard]] std::uint32_t index(Element at) const {
        if (!contains(c_rect, at)) return kNoElement;
        return (at.row - c_rect.row0) * (c_rect.column1 - c_rect.column0) + at.column -
               c_rect.column0;
    }
    // The element of C for a multiply-add in `record`.
    [[nodiscard]] std::uint32_t element_of(std::uint32_t thread, std::uint32_t accumulator,
                                           std::uint64_t record) const {
        if (accumulator >= accumulators) return kNoElement;
        if (thread < rounds.size() && !rounds[thread].empty()) {
            const auto round = std::ranges::upper_bound(rounds[thread], record, {}, &Round::end);
            return round == rounds[thread].end() ? kNoElement : round->element[accumulator];
        }
        const std::size_t at = std::size_t{thread} * accumulators + accumulator;
        return at < element.size() ? element[at] : kNoElement;
    }
};

// A thread's n-th accumulator belongs to the n-th element of C that it stores, if it has as many
// accumulators as elements and the values do not contradict this; else to the element to which its
// final value was stored. With fewer accumulators than elements, this is done for each round.
[[nodiscard]] SumMap map_sums(const Trace& trace, const BlockRecords& records);

}  // namespace tilereel
