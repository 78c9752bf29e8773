// Index expressions, against the same text compiled as C++.
#include "instrumentation/analysis/source/index_expression.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace tilereel::index_expression_test {
namespace {

ThreadPlace place(std::int64_t x, std::int64_t y, std::int64_t z = 0) {
    const std::int64_t thread = (z * 8 + y) * 16 + x;
    return {.thread = {x, y, z}, .block = {16, 8, 4}, .lane = thread % 32, .warp = thread / 32};
}

struct Extents {
    std::int64_t x, y, z;
};
using Compiled =
    std::function<std::int64_t(std::int64_t tx, std::int64_t ty, std::int64_t tz, std::int64_t lane,
                               std::int64_t warp, Extents threadIdx, Extents blockDim)>;

void expect_same(const char* text, const Compiled& compiled) {
    const Result<IndexExpression> expression = IndexExpression::parse(text);
    ASSERT_TRUE(expression) << text << ": " << expression.error().message;
    for (std::int64_t x = 0; x < 16; ++x)
        for (std::int64_t y = 0; y < 8; ++y)
            for (std::int64_t z = 0; z < 4; ++z) {
                const ThreadPlace at = place(x, y, z);
                const Result<std::int64_t> value = expression->value(at);
                ASSERT_TRUE(value) << text << ": " << value.error().message;
                ASSERT_EQ(*value, compiled(x, y, z, at.lane, at.warp, {x, y, z}, {16, 8, 4}))
                    << text << " of thread " << x << ", " << y << ", " << z;
            }
}

#define EXPECT_SAME(expression)                                                                  \
    expect_same(#expression,                                                                     \
                []([[maybe_unused]] auto tx, [[maybe_unused]] auto ty, [[maybe_unused]] auto tz, \
                   [[maybe_unused]] auto lane, [[maybe_unused]] auto warp,                       \
                   [[maybe_unused]] auto threadIdx,                                              \
                   [[maybe_unused]] auto blockDim) { return std::int64_t(expression); })

TEST(IndexExpression, IsEvaluatedAsInCpp) {
    EXPECT_SAME(ty * 33 + tx);
    EXPECT_SAME(threadIdx.y * blockDim.x + threadIdx.x);
    EXPECT_SAME((tx ^ ty) * 4 + warp);
    EXPECT_SAME(lane / 4 % 3 - 2 * tx);
    EXPECT_SAME(tx - ty - 1);
    EXPECT_SAME(100 / (tx + 1) / 2);
    EXPECT_SAME(-tx + -(-ty) - +lane);
    EXPECT_SAME(-7 / 2 + -7 % 3);
    EXPECT_SAME(~tx & 0xff);
    EXPECT_SAME(1 << tx | ty << 2);
    EXPECT_SAME((lane >> 2) + (lane & 3) * 8);
    EXPECT_SAME(lane < 16 ? lane : ty > 3 ? -1 : 7);
    EXPECT_SAME((tx <= ty) == (ty >= tx));
    EXPECT_SAME(!(tx != ty) + (tx && ty) + (tz || warp));
    EXPECT_SAME((tz * 8 + ty) * 16 + tx);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
TEST(IndexExpression, HasThePrecedenceOfCpp) {
    EXPECT_SAME(tx | ty ^ lane & 12);
    EXPECT_SAME(tx + 1 << 2 + 1);
    EXPECT_SAME(tx & 1 == 1);
    EXPECT_SAME(tx < 3 == ty < 3 && lane > 2 || warp);
    EXPECT_SAME(tx - ty * 3 % 5 + lane / 2 >> 1);
}
#pragma GCC diagnostic pop

TEST(IndexExpression, EvaluatesOnlyWhatCppWould) {
    const auto value = [](const char* text) {
        const Result<IndexExpression> parsed = IndexExpression::parse(text);
        return parsed ? parsed->value(place(0, 0)) : Result<std::int64_t>(parsed.error());
    };
    EXPECT_EQ(*value("tx != 0 && 8 / tx"), 0);
    EXPECT_EQ(*value("tx == 0 || 8 / tx"), 1);
    EXPECT_EQ(*value("tx ? 8 / tx : 5"), 5);
    EXPECT_EQ(value("8 / tx").error().message, "the expression divides by 0");
    EXPECT_EQ(value("8 % tx").error().message, "the expression divides by 0");
    EXPECT_EQ(value("1 << -1").error().message, "the expression shifts by -1 bits; use 0 to 62");
    EXPECT_EQ(value("9223372036854775807 + 1").error().message,
              "a value of the expression does not fit 64 bits");
    EXPECT_EQ(value("(-9223372036854775807 - 1) / -1").error().message,
              "a value of the expression does not fit 64 bits");
    EXPECT_EQ(*value("(-9223372036854775807 - 1) % -1"), 0);
}

TEST(IndexExpression, SaysWhatIsWrongAndWhere) {
    const auto problem = [](const std::string& text) {
        const Result<IndexExpression> parsed = IndexExpression::parse(text);
        return parsed ? std::string("sound") : parsed.error().message;
    };
    EXPECT_EQ(problem(""),
              "letter 1 of the expression: a number, a name or '(' is missing, it ends");
    EXPECT_EQ(problem("ty*"),
              "letter 4 of the expression: a number, a name or '(' is missing, it ends");
    EXPECT_EQ(problem("ty * (tx + 1"), "letter 13 of the expression: ')' is missing, it ends");
    EXPECT_EQ(problem("ty 33"),
              "letter 4 of the expression: an operator or the end is missing, '3' stands there");
    EXPECT_EQ(problem("tx ? 1"), "letter 7 of the expression: ':' is missing, it ends");
    EXPECT_EQ(problem("33tx"),
              "letter 3 of the expression: an operator is missing, 't' stands there");
    EXPECT_NE(problem("row * 33").find("'row' is no name that the expression knows; use tx, ty"),
              std::string::npos);
    EXPECT_NE(problem("99999999999999999999").find("whole number"), std::string::npos);
    EXPECT_NE(problem(std::string(500, '(')).find("nested too deeply"), std::string::npos);
    EXPECT_NE(problem(std::string(500, '-') + "1").find("nested too deeply"), std::string::npos);
    EXPECT_NE(problem(std::string(2000, '1')).find("1,000 letters"), std::string::npos);
}

}  // namespace
}  // namespace tilereel::index_expression_test
