#pragma once
// Converts the question of the Pattern lab to text and back.
#include <optional>
#include <string>

#include "app/subject/text_fields.h"
#include "app/workbench/view/pattern_lab.h"

namespace tilereel {

// The fields in this order: block, memory, operation (load, or ldmatrix4 for 4 matrices), width,
// RowLayout::row, pad, swizzle and swizzle_unit, warp, generation, expression.
[[nodiscard]] std::string text_of(const PatternQuestion& question);
[[nodiscard]] std::optional<PatternQuestion> parse_pattern(const std::string& text);

}  // namespace tilereel
