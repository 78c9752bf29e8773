#pragma once
// Which lines of a race are drawn, and how strongly: some in a colour of their own with their name
// at the end, the others thin, or not at all.
#include <cstdint>
#include <optional>
#include <vector>

#include "app/workbench/race_figures.h"

namespace tilereel {

enum class LineShown : std::uint8_t { kHidden, kThin, kStrong };

class RaceLines {
  public:
    // Of a race with so many contenders: all thin.
    void begin(std::size_t contenders);
    // The strong ones, until someone chooses others.
    void suggest(const std::vector<std::uint32_t>& strong);

    void toggle_hidden(std::uint32_t contender);
    void toggle_strong(std::uint32_t contender);
    void toggle_only(std::uint32_t contender);  // it alone is strong; again: as before
    void make_strong(const std::vector<std::uint32_t>& strong);  // in place of others; none hidden
    void thin_all();

    [[nodiscard]] LineShown shown(std::uint32_t contender) const;
    // A number that no other strong line has, kept while it is strong: for its colour.
    [[nodiscard]] std::optional<std::size_t> slot(std::uint32_t contender) const;
    [[nodiscard]] std::optional<std::uint32_t> only() const { return only_; }
    [[nodiscard]] bool chosen() const { return chosen_; }  // by someone
    [[nodiscard]] std::size_t size() const { return slots_.size(); }
    [[nodiscard]] std::size_t count(LineShown shown) const;

  private:
    void set(const std::vector<std::uint32_t>& strong);
    void add(std::uint32_t contender);
    void touch() { chosen_ = true; }

    std::vector<std::optional<std::size_t>> slots_;  // by contender; nullopt: thin
    std::vector<bool> hidden_;
    std::optional<std::uint32_t> only_;
    bool chosen_ = false;  // by someone: nothing is suggested any more
};

// The lines that tell a race's story: all of them where they are few. Else the reference, and of
// the ladder the rungs that are faster than all before them, in their fastest TILE and PAD, at the
// size at which most contenders have a median: the six largest steps. While a race runs: the rungs
// of those that have figures.
[[nodiscard]] std::vector<std::uint32_t> default_lines(const Race& race,
                                                       const RaceFigures& figures);
inline constexpr std::size_t kFewLines = 8, kDefaultRungs = 6;

}  // namespace tilereel
