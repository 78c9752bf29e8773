#pragma once
// `explain --expression`: the access of an index expression as text or JSON.
#include <optional>
#include <string>

#include "instrumentation/analysis/cost/pattern_answer.h"

namespace tilereel {

// The options of an expression, not yet parsed.
struct PatternOptions {
    std::string expression, block;  // block: "16x16" or "16x16x1"; empty: 32x8
    std::optional<int> warp, row, pad, swizzle, swizzle_unit;
    std::optional<int> matrices;     // of ldmatrix and stmatrix, also without an expression
    [[nodiscard]] bool any() const;  // any option other than the expression
};

struct AskedPattern {
    AccessPattern pattern;
    std::uint32_t warp = 0;
};
// kWrongCall with a sentence that says what to use instead.
Result<AskedPattern> pattern_of(const PatternOptions& options, const std::string& space,
                                const std::string& operation, int width_bytes);

// The sentence, the totals of the block, the smallest PAD without conflicts if there are conflicts,
// and a line for each active lane.
Result<std::string> pattern_text(const AskedPattern& asked, const Generation& generation);
// The same as a JSON object.
Result<std::string> pattern_json(const AskedPattern& asked, const std::string& expression,
                                 const Generation& generation);

}  // namespace tilereel
