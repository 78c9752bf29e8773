// What `export --html` puts into a page: a kernel with PAD has a second launch in it, and nothing
// else has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

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

constexpr const char* kSizes = " --m 16 --n 16 --k 16";
constexpr const char* kOneLaunch = "id=\"others\">[]<";

// The numbers that stand behind `name` in a page, in their order.
std::vector<std::string> values_of(const std::string& page, const std::string& name) {
    std::vector<std::string> values;
    for (std::size_t at = page.find(name); at != std::string::npos; at = page.find(name, at + 1))
        values.push_back(
            page.substr(at + name.size(), page.find_first_of(",}", at) - at - name.size()));
    return values;
}

TEST_F(Page, OfAKernelWithPadHasTheLaunchWithTheOtherPad) {
    for (const char* const pad : {"", " --pad 1"})
        EXPECT_THAT(of(std::string("08_tiled_b_transposed --tile 8") + pad + kSizes),
                    Not(HasSubstr(kOneLaunch)));
}

TEST_F(Page, OfAnythingElseHasOneLaunch) {
    EXPECT_THAT(of(std::string("02_naive --tile 8") + kSizes), HasSubstr(kOneLaunch));
    // A recorded trace is shown as it is.
    shell(std::string("tilereel trace 08_tiled_b_transposed --tile 8 -o t.npz") + kSizes,
          folder_.path());
    EXPECT_THAT(of("t.npz"), HasSubstr(kOneLaunch));
}

// The launch in front is the first TILE with the first PAD; the others hold what differs from it.
TEST_F(Page, OfAListHasALaunchForEachTileAndPad) {
    const std::string page =
        of(std::string("08_tiled_b_transposed --tile 8,4,16 --pad 1,0") + kSizes);
    EXPECT_THAT(page, HasSubstr("'p.html' has "));
    EXPECT_THAT(page, HasSubstr("and 6 launches\n"));
    EXPECT_EQ(values_of(page, "\"tile\":"), (std::vector<std::string>{"8", "4", "4", "16", "16"}));
    // Without a list of PADs each TILE has two.
    EXPECT_THAT(of(std::string("08_tiled_b_transposed --tile 8,16") + kSizes),
                HasSubstr("and 4 launches\n"));
    EXPECT_THAT(of(std::string("02_naive --tile 8,16,8") + kSizes), HasSubstr("and 2 launches\n"));
}

TEST_F(Page, AListIsForAPageAlone) {
    const auto fails = [&](const std::string& call, const char* words) {
        const Ended ended = shell("tilereel " + call, folder_.path());
        EXPECT_EQ(ended.exit_code, 2) << call;
        EXPECT_THAT(ended.err, HasSubstr(words)) << call;
    };
    fails("export 09_tiled --tile 8,16 --png p.png", "give --html alone");
    fails("export 09_tiled --tile 8,16 --html p.html --csv c.csv", "give --html alone");
    fails("report 09_tiled --tile 8,16", "--tile takes a whole number");
    fails("export 09_tiled --tile 8, --html p.html", "--tile takes a whole number");
    fails("export 09_tiled --m 16 --n 16 --k 16 --tile 8,12 --html p.html", "12");
}

}  // namespace
}  // namespace tilereel::tests::page_test
