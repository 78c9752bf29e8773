#pragma once
// An index as it stands in a kernel, "threadIdx.y * 33 + threadIdx.x" or "ty*33 + tx", worked out
// for any thread. Operators, their precedence and integer division are C++'s ([expr.compound]);
// values are whole numbers of 64 bits.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

// What the names of an expression stand for.
struct ThreadPlace {
    std::array<std::int64_t, 3> thread{};           // tx, ty, tz; threadIdx.x, .y, .z
    std::array<std::int64_t, 3> block = {1, 1, 1};  // blockDim.x, .y, .z
    std::int64_t lane = 0, warp = 0;
};

class IndexExpression {
  public:
    // kWrongCall with a sentence that says what is wrong, where, and what may stand there.
    // `wrong_at`: the byte of `text` where it is wrong; unchanged where nothing is.
    static Result<IndexExpression> parse(std::string_view text, std::size_t* wrong_at = nullptr);
    // kWrongCall where it divides by 0, shifts by less than 0 or more than 62, or leaves 64 bits.
    [[nodiscard]] Result<std::int64_t> value(const ThreadPlace& place) const;

  private:
    friend class IndexParser;
    enum class Operator : std::uint8_t {
        kNumber,
        kName,  // leaves
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
        kAnd,
        kXor,
        kOr,
        kBoth,
        kEither,
        kChoose,
    };
    struct Node {
        Operator op = Operator::kNumber;
        std::int64_t number = 0;                  // kNumber; kName: which
        std::array<std::uint32_t, 3> operands{};  // nodes
    };
    [[nodiscard]] Result<std::int64_t> value_of(std::uint32_t node, const ThreadPlace& place) const;
    static Result<std::int64_t> apply(Operator op, std::int64_t a, std::int64_t b);
    std::vector<Node> nodes_;
    std::uint32_t root_ = 0;
};

}  // namespace tilereel
