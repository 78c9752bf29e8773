// What `export --html` puts into a page: a kernel with PAD has a second launch in it, and nothing
// else has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/shell_command.h"

namespace tilereel::tests::page_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Page : public ::testing::Test {
  protected:
    std::string of(const std::string& subject) {
        const Ended ended =
            shell("tilereel export " + subject + " --html p.html && cat p.html", folder_.path());
        EXPECT_EQ(ended.exit_code, 0) << subject << "\n" << ended.err;
        return ended.out;
    }
    ScratchFolder folder_;
};

constexpr const char* kSizes = " --m 16 --n 16 --k 16 --tile 8";
constexpr const char* kOther = "\"otherPad\":";

TEST_F(Page, OfAKernelWithPadHasTheLaunchWithTheOtherPad) {
    EXPECT_THAT(of(std::string("08_tiled_b_transposed") + kSizes), HasSubstr(kOther));
    EXPECT_THAT(of(std::string("08_tiled_b_transposed --pad 1") + kSizes), HasSubstr(kOther));
}

TEST_F(Page, OfAnythingElseHasOneLaunch) {
    EXPECT_THAT(of("02_naive --m 16 --n 16 --k 16 --tile 8"), Not(HasSubstr(kOther)));
    // A recorded trace is shown as it is.
    shell(std::string("tilereel trace 08_tiled_b_transposed -o t.npz") + kSizes, folder_.path());
    EXPECT_THAT(of("t.npz"), Not(HasSubstr(kOther)));
}

}  // namespace
}  // namespace tilereel::tests::page_test
