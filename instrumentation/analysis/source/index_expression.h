#pragma once
// An index expression as in a kernel, "threadIdx.y * 33 + threadIdx.x" or "ty*33 + tx", that can be
// evaluated for any thread. Operators, their precedence and integer division are those of C++
// ([expr.compound]); values are 64-bit integers.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

// The values of the names in an expression.
struct ThreadPlace {
    std::array<std::int64_t, 3> thread{};           // tx, ty, tz; threadIdx.x, .y, .z
    std::array<std::int64_t, 3> block = {1, 1, 1};  // blockDim.x, .y, .z
    std::int64_t lane = 0, warp = 0;
};

class IndexExpression {
  public:
    // kWrongCall with a sentence that says what is wrong, where, and what is allowed there.
    // `wrong_at`: set to the byte offset of the mistake in `text`; unchanged if there is none.
    static Result<IndexExpression> parse(std::string_view text, std::size_t* wrong_at = nullptr);
    // kWrongCall for a division by 0, a shift by less than 0 or more than 62, or an overflow.
    [[nodiscard]] Result<std::int64_t> value(const ThreadPlace& place) const;

  private:
    friend class IndexParser;
    enum class Operator : std::uint8_t {
        kNumber,  // a leaf
        kName,    // a leaf
        kNegate,
        kNot,
        kComplement,
        kMultiply,
        kDivide,
        kRemainder,
        kAdd,
        kSubtract,
        kShiftLeft,
        kShiftRight,
        kLess,
        kLessOrEqual,
        kGreater,
        kGreaterOrEqual,
        kEqual,
        kUnequal,
        kBitAnd,
        kBitXor,
        kBitOr,
        kLogicalAnd,
        kLogicalOr,
        kConditional,
    };
    struct Node {
        Operator op = Operator::kNumber;
        std::int64_t number = 0;  // kNumber: the value; kName: the number of the name
        std::array<std::uint32_t, 3> operands{};  // indices in nodes_
    };
    [[nodiscard]] Result<std::int64_t> value_of(std::uint32_t node, const ThreadPlace& place) const;
    static Result<std::int64_t> apply(Operator op, std::int64_t a, std::int64_t b);
    std::vector<Node> nodes_;
    std::uint32_t root_ = 0;
};

}  // namespace tilereel
