#pragma once
// The model of the Pattern lab: an index expression or a layout that is being typed, and the cost
// of its access, which instrumentation/analysis computes as for `explain --expression`.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/cost/pattern_answer.h"

namespace tilereel {

struct PatternQuestion {
    std::string expression = "ty*33 + tx";  // in elements
    std::array<std::int64_t, 3> block = {16, 16, 1};
    Space space = Space::kShared;            // kShared or kGlobal
    Operation operation = Operation::kLoad;  // as AccessPattern::operation
    std::uint32_t width_bytes = 4;           // of an element: 1, 2, 4, 8 or 16
    RowLayout layout{};
    std::uint32_t warp = 0;          // PatternAnswer::warp
    std::string generation = "9.0";  // Generation::id
    std::uint32_t matrices = 4;      // of a matrix load or store: 1, 2 or 4
    [[nodiscard]] bool of_matrices() const { return is_matrix_access(operation); }
    bool operator==(const PatternQuestion&) const = default;
};
// The question for a preset, with the operation and generation of `now`. Where one is of matrices
// and the other is not, it is a load.
[[nodiscard]] PatternQuestion question_of(const PatternPreset& preset, const PatternQuestion& now);
// The preset after or before that of `now`, cyclically.
[[nodiscard]] PatternQuestion next_preset(const PatternQuestion& now, int direction);
// The same question with this operation. If only one of the two operations is of matrices, and the
// expression is no layout, it becomes the first preset of the other kind.
[[nodiscard]] PatternQuestion with_operation(const PatternQuestion& now, Operation operation);

// A classical pattern shown beside the current one.
struct PatternNeighbour {
    std::string title;  // empty: the current pattern
    PatternQuestion question;
    // Warp 0 in blocks of 16 x 16 and 32 x 32; of matrices a load of 2 and of 4. nullopt if it
    // cannot be computed there.
    std::array<std::optional<PatternAnswer>, 2> in_blocks;
};
inline constexpr std::array<std::array<std::int64_t, 3>, 2> kNeighbourBlocks = {
    {{16, 16, 1}, {32, 32, 1}}};
inline constexpr std::array<std::uint32_t, 2> kNeighbourMatrices = {2, 4};

class PatternLab {
  public:
    PatternLab() { ask({}); }
    // If the question cannot be answered, the last answer stays, and problem() says what is wrong.
    // A warp that the block does not have, and a swizzle that does not fit the row, are adapted.
    void ask(PatternQuestion question);

    [[nodiscard]] const PatternQuestion& question() const { return question_; }
    // The last question that could be answered, and its answer.
    [[nodiscard]] const PatternQuestion& answered() const { return answered_; }
    [[nodiscard]] const PatternAnswer& answer() const { return *answer_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }  // empty: none
    // The byte offset of a syntax error in the expression; nullopt if there is none.
    [[nodiscard]] std::optional<std::size_t> wrong_at() const { return wrong_at_; }
    // The current pattern, then the presets for the same memory and kind of access.
    [[nodiscard]] const std::vector<PatternNeighbour>& neighbours() const { return neighbours_; }

  private:
    PatternQuestion question_, answered_;
    std::optional<PatternAnswer> answer_;
    std::string problem_;
    std::optional<std::size_t> wrong_at_;
    std::vector<PatternNeighbour> neighbours_;
};

// The largest RowLayout::swizzle that fits rows of this length; 1 if none does.
[[nodiscard]] std::int64_t largest_swizzle(const RowLayout& layout);

}  // namespace tilereel
