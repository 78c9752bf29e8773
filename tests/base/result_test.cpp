#include "instrumentation/base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace tilereel::result_test {
namespace {

Result<int> half_of(int value) {
    if (value % 2 != 0) return wrong_call("give an even number");
    return value / 2;
}

TEST(Result, HoldsAValueOrASentence) {
    const Result<int> good = half_of(8);
    ASSERT_TRUE(good.has_value());
    EXPECT_TRUE(static_cast<bool>(good));
    EXPECT_EQ(*good, 4);
    const Result<int> bad = half_of(7);
    ASSERT_FALSE(bad.has_value());
    EXPECT_FALSE(static_cast<bool>(bad));
    EXPECT_EQ(bad.error().kind, ErrorKind::kWrongCall);
    EXPECT_EQ(bad.error().message, "give an even number");
    EXPECT_EQ(failed("disk full").kind, ErrorKind::kFailed);
}

TEST(Result, HoldsTypesThatCanOnlyBeMoved) {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
    const std::unique_ptr<int> value = std::move(result).value();
    EXPECT_EQ(*value, 5);
}

TEST(Result, ArrowAccessesTheValue) {
    Result<std::string> result = std::string("tile");
    result->append("reel");
    EXPECT_EQ(*result, "tilereel");
    EXPECT_EQ(result->size(), 8u);
}

TEST(Result, StatusIsSuccessOrAnError) {
    EXPECT_TRUE(Status(Done{}).has_value());
    EXPECT_FALSE(Status(failed("no")).has_value());
}

TEST(ResultDeathTest, ReadingAMissingValueIsABug) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH((void)half_of(1).value(), "a bug at");
    EXPECT_DEATH((void)half_of(2).error(), "a bug at");
}

}  // namespace
}  // namespace tilereel::result_test
