#pragma once
// `explain --expression`: an index expression's access as text or JSON.
#include <optional>
#include <string>

#include "instrumentation/analysis/pattern_answer.h"

namespace tilereel {

// The options of an expression, as they were typed.
struct PatternOptions {
    std::string expression, block;  // block: "16x16" or "16x16x1"; empty: 32x8
    std::optional<int> warp, row, pad, swizzle, swizzle_unit;
    [[nodiscard]] bool any() const;  // besides the expression
};

struct AskedPattern {
    AccessPattern pattern;
    std::uint32_t warp = 0;
};
// kWrongCall with what to use instead.
Result<AskedPattern> pattern_of(const PatternOptions& options, const std::string& space,
                                const std::string& operation, int width_bytes);

// The sentence, the block's sums, the least PAD, and a line for each lane.
Result<std::string> pattern_text(const AskedPattern& asked, const Generation& generation);
// The same as one object.
Result<std::string> pattern_json(const AskedPattern& asked, const std::string& expression,
                                 const Generation& generation);

}  // namespace tilereel
