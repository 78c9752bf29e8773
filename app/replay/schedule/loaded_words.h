#pragma once
// The values that the requests of a block read from global and constant memory.
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/replay/schedule/schedule.h"

namespace tilereel {

// The content of arrays before the launch, overwritten by the stores of this block so far. Stores
// of other blocks are ignored, because their time is unknown.
class LoadedWords {
  public:
    // The trace must outlive it.
    LoadedWords(const Trace& trace, const BlockRecords& records, const Schedule& schedule);
    // The word, or the bytes of a narrower access, that one lane of a request at `step` reads at
    // byte `offset` of the site's array; nullopt if unknown.
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
    // For arrays that the kernel both reads and writes: the changes of each word in order.
    std::unordered_map<std::uint64_t, std::vector<Change>> changes_;
};

// The value of an element of a float array before the launch; NaN if unknown.
[[nodiscard]] float input_value(const Trace& trace, ArrayId array, std::uint32_t offset);

}  // namespace tilereel
