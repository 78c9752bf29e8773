#pragma once
// The lifetime of each value that the block stores to shared memory, found in one pass over its
// requests in the order of the schedule.
#include "app/replay/schedule/schedule.h"

namespace tilereel {

// Greater than any number of a step.
inline constexpr std::uint32_t kNever = 0xffffffff;

// One 4-byte word that was stored to shared memory.
struct StoredWord {
    std::uint32_t phase = 0;            // of the store
    std::uint32_t first_read = kNever;  // step that first reads it
    std::uint32_t replaced = kNever;    // step that next stores to the same address
    // The step from which the word is stale: it is not read again, and the phase of its last read
    // (or, if it is never read, of its store) is over. kNever: it does not become stale.
    std::uint32_t stale_from = kNever;
    // Its lane had loaded the value from global memory. Set when flights are known.
    bool loaded = false;
};

struct Lifetimes {
    // All words that the block stores to shared memory: steps in time order, words of a step in the
    // order of for_each_word().
    std::vector<StoredWord> words;
    struct Reading {
        std::uint32_t word = 0, phase = 0;
        bool operator==(const Reading&) const = default;
    };
    std::vector<Reading> readings;  // one for each word and phase in which it is read
};
[[nodiscard]] Lifetimes find_lifetimes(const Trace& trace, const Schedule& schedule);

// The number of words of shared memory that contain all shared arrays and all stores to them.
[[nodiscard]] std::size_t shared_words_of(const Trace& trace);

}  // namespace tilereel
