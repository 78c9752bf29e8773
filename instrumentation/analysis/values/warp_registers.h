#pragma once
// The values that the lanes of one warp have loaded recently: the part of their registers that
// follows from a trace.
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "instrumentation/trace/trace.h"

namespace tilereel {

// One 4-byte word that a request loaded, lane by lane.
struct LoadedWord {
    std::uint32_t mask = 0;     // lanes that loaded
    std::uint32_t unknown = 0;  // those of them whose value depends on an unknown order
    std::array<float, kWarpSize> values{};
};

// Whether both are equal or both are NaN.
[[nodiscard]] bool same_value(float a, float b);

class WarpRegisters {
  public:
    static constexpr std::size_t kMostWords = 128;  // loaded words that are remembered

    // Call it at the beginning of a block.
    void clear() { *this = {}; }
    void load(const LoadedWord& word, bool from_global);

    enum class Verdict { kExplained, kUnexplained, kUndecided };
    // Whether `after` is `before` plus the product of two loaded words, the same two for all lanes
    // in the mask. kUndecided if a word is unknown.
    [[nodiscard]] Verdict multiply_add(SiteId site, std::uint32_t mask,
                                       const std::array<float, kWarpSize>& before,
                                       const std::array<float, kWarpSize>& after);
    // Repeats the last multiply_add() with another sum before it.
    [[nodiscard]] Verdict check_again(std::uint32_t mask,
                                      const std::array<float, kWarpSize>& before,
                                      const std::array<float, kWarpSize>& after) const;
    // Call it for a multiply-add that is not checked.
    void skip_multiply_add() { ++position_; }
    // The operands of a multiply-add, if exactly two words were loaded since the last one.
    [[nodiscard]] std::optional<std::pair<const LoadedWord*, const LoadedWord*>> only_operands(
        std::uint32_t mask) const;
    // Whether the lane has loaded this value, or may have.
    [[nodiscard]] Verdict has_loaded(std::uint32_t lane, float value) const;

  private:
    struct Ages {  // 0: the newest word
        std::uint8_t one = 0, other = 0;
    };
    [[nodiscard]] const LoadedWord& at(std::size_t age) const {
        return words_[(next_ + kMostWords - 1 - age) % kMostWords];
    }
    [[nodiscard]] bool fits(Ages ages, std::uint32_t mask,
                            const std::array<float, kWarpSize>& before,
                            const std::array<float, kWarpSize>& after) const;
    [[nodiscard]] std::optional<Ages> search(std::uint32_t mask,
                                             const std::array<float, kWarpSize>& before,
                                             const std::array<float, kWarpSize>& after) const;

    // kUndecided if a loaded word is unknown.
    [[nodiscard]] Verdict unexplained(std::uint32_t mask) const;

    std::array<LoadedWord, kMostWords> words_{};  // a ring
    std::size_t next_ = 0, count_ = 0;
    // Only the words from global memory: a tile may be loaded long before it is stored.
    std::array<LoadedWord, kMostWords> global_{};  // a ring
    std::size_t next_global_ = 0, count_global_ = 0;
    std::uint32_t position_ = 0;  // multiply-adds since the last load
    std::uint32_t loaded_ = 0;    // words loaded since the last multiply-add
    // The last operands that fitted at a site and position, which are tried first.
    static constexpr std::size_t kPositions = 1024;
    std::vector<std::optional<Ages>> fitted_ = std::vector<std::optional<Ages>>(kPositions);
};

}  // namespace tilereel
