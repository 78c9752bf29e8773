#pragma once
// What a thread accesses, as it is typed: an index expression, or a layout of CuTe, with a swizzle
// before it if there is one:
//
//     ty*33 + tx
//     Swizzle<3,3,3> o (64,64):(64,1)      as CuTe prints it: Sw<3,3,3> o _0 o (_64,_64):(_64,_1)
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "instrumentation/analysis/source/cute_layout.h"
#include "instrumentation/analysis/source/index_expression.h"

namespace tilereel {

class PatternIndex {
  public:
    // Errors and `wrong_at` as IndexExpression::parse().
    static Result<PatternIndex> parse(std::string_view text, std::size_t* wrong_at = nullptr);

    // nullptr: an index expression.
    [[nodiscard]] const CuteLayout* layout() const { return std::get_if<CuteLayout>(&mapping_); }
    [[nodiscard]] const IndexExpression* expression() const {
        return std::get_if<IndexExpression>(&mapping_);
    }
    // The place of an offset in memory, both in elements.
    [[nodiscard]] std::int64_t swizzled(std::int64_t offset) const {
        return swizzle_(added_ + offset);
    }
    [[nodiscard]] const CuteSwizzle& swizzle() const { return swizzle_; }
    [[nodiscard]] PatternIndex without_swizzle() const;

  private:
    std::variant<IndexExpression, CuteLayout> mapping_;
    CuteSwizzle swizzle_;
    std::int64_t added_ = 0;  // between the swizzle and the layout, in elements
    friend class PatternIndexParser;
};

// The text with another swizzle; with one of 0 bits, without any. The text can be parsed.
[[nodiscard]] std::string with_swizzle(std::string_view text, const CuteSwizzle& swizzle);

}  // namespace tilereel
