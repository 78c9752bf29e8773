#pragma once
// The model of the Pattern lab: an index expression that is being typed, and what its access costs.
// Answered by instrumentation/analysis, as `explain --expression` is.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/pattern_answer.h"

namespace tilereel {

struct PatternQuestion {
    std::string expression = "ty*33 + tx";  // in elements
    std::array<std::int64_t, 3> block = {16, 16, 1};
    Space space = Space::kShared;            // or kGlobal
    Operation operation = Operation::kLoad;  // or kStore
    std::uint32_t width_bytes = 4;           // of an element: 1, 2, 4, 8 or 16
    RowLayout layout{};
    std::uint32_t warp = 0;
    std::string generation = "9.0";  // Generation::id
    bool operator==(const PatternQuestion&) const = default;
};
// The preset with this access and generation of `now`.
[[nodiscard]] PatternQuestion question_of(const PatternPreset& preset, const PatternQuestion& now);
// The preset after or before the one that is asked about, around.
[[nodiscard]] PatternQuestion next_preset(const PatternQuestion& now, int direction);

// A classical pattern beside the one that is asked about.
struct PatternNeighbour {
    std::string title;  // empty: the pattern that is asked about
    PatternQuestion question;
    // Warp 0 in blocks of 16 x 16 and 32 x 32; nullopt: it cannot be worked out there.
    std::array<std::optional<PatternAnswer>, 2> in_blocks;
};
inline constexpr std::array<std::array<std::int64_t, 3>, 2> kNeighbourBlocks = {
    {{16, 16, 1}, {32, 32, 1}}};

class PatternLab {
  public:
    PatternLab() { ask({}); }
    // A question that cannot be answered keeps the last answer, and problem() says what is wrong.
    // What the other parts of the question make impossible is adapted: a warp that the block does
    // not have, a swizzle that does not fit the row.
    void ask(PatternQuestion question);

    [[nodiscard]] const PatternQuestion& question() const { return question_; }
    // The last question that could be answered, and its answer.
    [[nodiscard]] const PatternQuestion& answered() const { return answered_; }
    [[nodiscard]] const PatternAnswer& answer() const { return *answer_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }  // empty: none
    // The byte of the expression that is wrong; nullopt: its form is sound.
    [[nodiscard]] std::optional<std::size_t> wrong_at() const { return wrong_at_; }
    // The pattern that is asked about, then the presets of the same memory.
    [[nodiscard]] const std::vector<PatternNeighbour>& neighbours() const { return neighbours_; }

  private:
    PatternQuestion question_, answered_;
    std::optional<PatternAnswer> answer_;
    std::string problem_;
    std::optional<std::size_t> wrong_at_;
    std::vector<PatternNeighbour> neighbours_;
};

// The largest swizzle, in rows, that fits rows of this length; 1: none does.
[[nodiscard]] std::int64_t largest_swizzle(const RowLayout& layout);

}  // namespace tilereel
