#pragma once
// What the requests of a block read from global and constant memory.
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/replay/schedule.h"

namespace tilereel {

// The array's content before the launch, and over it what this block has stored so far. What other
// blocks store meanwhile is not in it: which of them ran before is not known.
class LoadedWords {
  public:
    // The trace must outlive it.
    LoadedWords(const Trace& trace, const BlockRecords& records, const Schedule& schedule);
    // The word, or the bytes of a narrower access, that one lane of a request at `step` finds at
    // byte `offset` of the site's array; nullopt: unknown.
    [[nodiscard]] std::optional<std::uint32_t> at(const Site& site, std::uint32_t offset,
                                                  std::uint32_t step) const;

  private:
    struct Change {
        std::uint32_t step = 0;  // that stores it
        std::uint32_t bits = 0;
    };
    [[nodiscard]] static std::uint64_t key_of(ArrayId array, std::uint32_t offset) {
        return std::uint64_t{array} << 32 | offset / 4;
    }
    [[nodiscard]] std::optional<std::uint32_t> first_word(ArrayId array,
                                                          std::uint32_t offset) const;

    const Trace& trace_;
    // Of arrays that the kernel both reads and stores to; the changes of a word in order.
    std::unordered_map<std::uint64_t, std::vector<Change>> changes_;
};

// What an element of a float array held before the launch; NaN: unknown.
[[nodiscard]] float input_value(const Trace& trace, ArrayId array, std::uint32_t offset);

}  // namespace tilereel
