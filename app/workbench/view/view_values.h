#pragma once
// Converts the values of a saved view's fields to text and back.
#include <optional>
#include <string>

#include "app/subject/text_fields.h"
#include "app/workbench/view/compare_side.h"
#include "app/workbench/view/pattern_lab.h"

namespace tilereel {

// Kernel, M, N, K, TILE, PAD, removed barrier and generation, "09_tiled:16:16:16:8:1:0:9.0";
// generation and file, "9.0:/home/me/other.npz"; or "9.0:", the same launch on that generation.
[[nodiscard]] std::string text_of(const CompareSide& side);
[[nodiscard]] std::optional<CompareSide> parse_side(const std::string& text);
// The fields in this order: block, memory, operation, width, RowLayout::row, pad, swizzle and
// swizzle_unit, warp, generation, expression.
[[nodiscard]] std::string text_of(const PatternQuestion& question);
[[nodiscard]] std::optional<PatternQuestion> parse_pattern(const std::string& text);

}  // namespace tilereel
