#pragma once
// What the keys and buttons of the Pattern lab change in its question.
#include <optional>

#include "app/workbench/view/pattern_lab.h"

namespace tilereel {

// Load, store, ldmatrix, stmatrix, load ...
[[nodiscard]] PatternQuestion with_next_operation(const PatternQuestion& now);
// 1, 2, 4, 1 ... matrices
[[nodiscard]] PatternQuestion with_next_matrices(const PatternQuestion& now);
// The question with the least PAD or swizzle that takes all conflicts away; nullopt if there is
// none. The swizzle stands in place of PAD.
[[nodiscard]] std::optional<PatternQuestion> with_least_pad(const PatternLab& lab);
[[nodiscard]] std::optional<PatternQuestion> with_least_swizzle(const PatternLab& lab);

}  // namespace tilereel
