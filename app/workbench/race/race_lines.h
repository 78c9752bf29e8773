#pragma once
// How each line of a race is drawn: strong, in a colour of its own with its name at the end; thin;
// or not at all.
#include <cstdint>
#include <optional>
#include <vector>

#include "app/workbench/race/race_figures.h"

namespace tilereel {

enum class LineShown : std::uint8_t { kHidden, kThin, kStrong };

class RaceLines {
  public:
    // Starts with the lines of a new race, all thin.
    void begin(std::size_t contenders);
    // Makes these lines strong, unless the user has made a choice.
    void suggest(const std::vector<std::uint32_t>& strong);

    void toggle_hidden(std::uint32_t contender);
    void toggle_strong(std::uint32_t contender);
    void toggle_only(std::uint32_t contender);  // makes it the only strong line; again: undoes it
    void make_strong(const std::vector<std::uint32_t>& strong);  // and no others; hides none
    void thin_all();

    [[nodiscard]] LineShown shown(std::uint32_t contender) const;
    // The number of the line's colour. It is unique among strong lines and constant while the line
    // is strong. nullopt: the line is not strong.
    [[nodiscard]] std::optional<std::size_t> slot(std::uint32_t contender) const;
    [[nodiscard]] std::optional<std::uint32_t> only() const { return only_; }
    [[nodiscard]] bool chosen() const { return chosen_; }  // by the user
    [[nodiscard]] std::size_t size() const { return slots_.size(); }
    [[nodiscard]] std::size_t count(LineShown shown) const;

  private:
    void set(const std::vector<std::uint32_t>& strong);
    void add(std::uint32_t contender);
    void touch() { chosen_ = true; }

    std::vector<std::optional<std::size_t>> slots_;  // by contender; nullopt: thin
    std::vector<bool> hidden_;
    std::optional<std::uint32_t> only_;
    bool chosen_ = false;  // by the user: suggest() does nothing any more
};

// The lines that are strong by default. Up to kFewLines: all of them. Otherwise the references, the
// user's own and up to kDefaultRungs kernels, compared at default_size() with their fastest TILE
// and PAD. A kernel qualifies if it is faster than every kernel before it in the ladder; of these,
// the first, the fastest and those with the largest speed-ups over the kernels before them are
// taken. While a race runs, only kernels with figures qualify.
[[nodiscard]] std::vector<std::uint32_t> default_lines(const Race& race,
                                                       const RaceFigures& figures);
inline constexpr std::size_t kFewLines = 8, kDefaultRungs = 6;

}  // namespace tilereel
