#pragma once
// How long the block needs each value that it stores to shared memory: a pass over its requests in
// the order in which they are shown.
#include "app/replay/schedule.h"

namespace tilereel {

// A step number that no step reaches.
inline constexpr std::uint32_t kNever = 0xffffffff;

// One 4-byte word that a store put into shared memory.
struct StoredWord {
    std::uint32_t phase = 0;            // of the store
    std::uint32_t first_read = kNever;  // step that first reads it
    std::uint32_t replaced = kNever;    // step that next stores to the same place
    // The step from which it is stale: nobody will read it again, and a phase later than that of
    // its last use (or, if nobody ever reads it, of its store) has begun. kNever: to the end.
    std::uint32_t stale_from = kNever;
    // A copy of what its lane loaded from global memory; filled in once flights are known.
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
    std::vector<Reading> readings;  // each phase in which a word is read, once
};
[[nodiscard]] Lifetimes find_lifetimes(const Trace& trace, const Schedule& schedule);

// Words from which every shared array and every store within them is in range.
[[nodiscard]] std::size_t shared_words_of(const Trace& trace);

}  // namespace tilereel
