#include "instrumentation/base/check.h"

#include <gtest/gtest.h>

namespace tilereel::check_test {
namespace {

TEST(Check, TrueDoesNothing) { check(true); }

TEST(CheckDeathTest, FalseAbortsWithFileAndLine) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(check(1 > 2), "a bug at .*check_test\\.cpp:[0-9]+");
}

}  // namespace
}  // namespace tilereel::check_test
