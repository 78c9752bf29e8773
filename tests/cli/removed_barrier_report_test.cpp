// --without-barrier and --order in every command that records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/catalog.h"
#include "tests/cli/shell_command.h"

namespace tilereel::tests::removed_barrier_report_test {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

int barrier_of(const char* kernel, std::size_t number = 0) {
    return find_kernel(kernel)->barriers[number].line;
}
std::string without(const char* kernel, std::size_t number = 0) {
    return " --without-barrier " + std::to_string(barrier_of(kernel, number)) + " ";
}

class RemovedBarrier : public ::testing::Test {
  protected:
    Json json(const std::string& call) {
        const Ended ended = shell(call, folder_.path());
        EXPECT_EQ(ended.exit_code, 0) << call << ended.err;
        return Json::parse(ended.out, nullptr, false);
    }
    ScratchFolder folder_;
    // Two warps a block: of every 8 rows of C, warp 0 has rows 0 to 3 and warp 1 rows 4 to 7.
    const std::string five_ = "tilereel report 05_guide_ab_shared --m 16 --n 24 --k 8 --tile 8" +
                              without("05_guide_ab_shared");
};

TEST_F(RemovedBarrier, ReportListsTheWrongElementsOfC) {
    const Json round_robin = json(five_ + "--json");
    EXPECT_EQ(round_robin["removed_barrier"], barrier_of("05_guide_ab_shared"));
    EXPECT_EQ(round_robin["order"], "round-robin");
    EXPECT_EQ(round_robin["wrong"]["elements"], 0);
    EXPECT_EQ(round_robin["wrong"]["of"], 16 * 24);
    EXPECT_EQ(round_robin["findings"][0]["severity"], "error");
    EXPECT_EQ(round_robin["totals"]["barriers"], 0);
    const Json forward = json(five_ + "--order warps --json");
    EXPECT_EQ(forward["order"], "warps");
    EXPECT_EQ(forward["wrong"]["elements"], 8 * 24);
    EXPECT_EQ(forward["wrong"]["first"][0]["row"], 0);
    EXPECT_EQ(forward["wrong"]["first"][0]["column"], 0);
    EXPECT_EQ(forward["wrong"]["first"][0]["found"], nullptr);
    EXPECT_TRUE(forward["wrong"]["first"][0]["expected"].is_number());
    const Json backward = json(five_ + "--order warps-backward --json");
    EXPECT_EQ(backward["wrong"]["first"][0]["row"], 4);
    const Json lanes = json(five_ + "--order lanes --json");
    // Only the last thread of each of the 6 blocks has a right element.
    EXPECT_EQ(lanes["wrong"]["elements"], 16 * 24 - 6);
    const Json adversarial = json(five_ + "--order adversarial --json");
    EXPECT_EQ(adversarial["order"], "warps");
    EXPECT_EQ(adversarial["wrong"], forward["wrong"]);
}

TEST_F(RemovedBarrier, IsReportedAsTextAndCsv) {
    const Ended text = shell(five_ + "--order warps");
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(
        text.out,
        AllOf(HasSubstr("Without the barrier on line " +
                        std::to_string(barrier_of("05_guide_ab_shared")) + " (__syncthreads)"),
              HasSubstr("ERROR: "), HasSubstr("C IS WRONG in 192 of 384 elements\n"),
              HasSubstr("  0       0    NaN  ")));
    EXPECT_THAT(shell(five_).out, HasSubstr("C IS RIGHT in this order"));
    const std::string nine = "tilereel report 09_tiled --m 8 --n 8 --k 8 --tile 8" +
                             without("09_tiled", 1) + "--order adversarial";
    EXPECT_THAT(shell(nine).out, HasSubstr("C IS RIGHT with these matrices in each order"));
    const Ended csv = shell(five_ + "--order warps --csv");
    EXPECT_EQ(csv.exit_code, 0) << csv.err;
    EXPECT_THAT(csv.out, AllOf(HasSubstr("kind,line,thread,row,column,found,expected,text\n"),
                               HasSubstr("removed_barrier," +
                                         std::to_string(barrier_of("05_guide_ab_shared")) + ","),
                               HasSubstr("order,,,,,,,\"warps\"\n"), HasSubstr("\nfinding,"),
                               HasSubstr("wrong_elements,,,,,,,\"192\"\n"),
                               HasSubstr("\nwrong,,,0,0,NaN,")));
    for (const char letter : csv.out) EXPECT_TRUE(letter == '\n' || letter >= ' ');
    EXPECT_THAT(shell(five_ + "--phases").out, HasSubstr("Without the barrier on line"));
    EXPECT_EQ(json(five_ + "--phases --json")["order"], "round-robin");
}

TEST_F(RemovedBarrier, WarningsFollowTheGeneration) {
    const std::string four = "tilereel report 04_guide_a_shared --m 8 --n 8 --k 8 --tile 8" +
                             without("04_guide_a_shared") + "--json ";
    EXPECT_EQ(json(four)["findings"][0]["severity"], "warning");
    EXPECT_EQ(json(four + "--generation 6.1")["findings"], Json::array());
    // Of 8 x 8 elements, only the last of each row is right.
    EXPECT_EQ(json(four + "--order lanes")["wrong"]["elements"], 56);
    EXPECT_EQ(json(four + "--order adversarial")["order"], "lanes");
    EXPECT_EQ(json(four + "--order adversarial --generation 6.1")["order"], "round-robin");
}

// Before compute capability 7.0 the lanes of a warp run together.
TEST_F(RemovedBarrier, TheLaneOrderNeedsComputeCapability7_0) {
    EXPECT_EQ(json(five_ + "--order lanes --generation 7.0 --json")["order"], "lanes");
    for (const char* old : {"1.0", "3.0", "6.1"}) {
        const Ended ended = shell(five_ + "--order lanes --generation " + old);
        EXPECT_EQ(ended.exit_code, 2) << old;
        EXPECT_EQ(ended.out, "") << old;
        EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << ended.err;
        EXPECT_THAT(ended.err, AllOf(HasSubstr("only from compute capability 7.0 on"),
                                     HasSubstr("or another order")));
    }
}

TEST_F(RemovedBarrier, AcceptsTheFormerNamesOfOrders) {
    EXPECT_EQ(json(five_ + "--order turns --json")["order"], "round-robin");
    EXPECT_EQ(json(five_ + "--order harm --json"), json(five_ + "--order adversarial --json"));
}

TEST_F(RemovedBarrier, IsKeptInATraceFile) {
    const Json summary = json(
        "tilereel trace 09_tiled --m 16 --n 16 --k 16 --tile 8 --order warps-backward --json "
        "-o t.npz" +
        without("09_tiled"));
    EXPECT_EQ(summary["removed_barrier"], barrier_of("09_tiled"));
    EXPECT_EQ(summary["order"], "warps-backward");
    EXPECT_EQ(summary["wrong"]["elements"], 128);
    const Json report = json("tilereel report t.npz --json");
    EXPECT_EQ(report["order"], "warps-backward");
    EXPECT_EQ(report["wrong"], summary["wrong"]);
    EXPECT_FALSE(report["findings"].empty());
    const Ended csv = shell("tilereel report t.npz --csv", folder_.path());
    EXPECT_THAT(csv.out, HasSubstr("\"warps-backward\""));
    EXPECT_EQ(shell("tilereel report t.npz --order lanes" + without("09_tiled"), folder_.path())
                  .exit_code,
              2);
}

TEST_F(RemovedBarrier, WithAllBarriersNothingIsReported) {
    const Json report = json("tilereel report 09_tiled --json");
    EXPECT_FALSE(report.contains("removed_barrier"));
    EXPECT_FALSE(report.contains("wrong"));
    EXPECT_THAT(shell("tilereel report 09_tiled").out,
                AllOf(Not(HasSubstr("C IS")), Not(HasSubstr("Without the barrier"))));
}

TEST_F(RemovedBarrier, RefusalsNameTheValidBarriersAndOrders) {
    const auto refused = [&](const std::string& call) {
        const Ended ended = shell(call, folder_.path());
        EXPECT_EQ(ended.exit_code, 2) << call;
        EXPECT_EQ(std::ranges::count(ended.err, '\n'), 1) << call;
        EXPECT_EQ(folder_.file_count(), 0) << call;
        return ended.err;
    };
    for (const std::string call :
         {"tilereel report 09_tiled", "tilereel trace 09_tiled -o t.npz",
          "tilereel export 09_tiled --png p.png", "tilereel --frames 1 --kernel 09_tiled"})
        EXPECT_THAT(refused(call + " --without-barrier 1"),
                    AllOf(HasSubstr("no barrier on line 1"),
                          HasSubstr(std::to_string(barrier_of("09_tiled")) + " (__syncthreads)"),
                          HasSubstr(std::to_string(barrier_of("09_tiled", 1)))));
    EXPECT_THAT(refused("tilereel report 02_naive --without-barrier 20"),
                HasSubstr("02_naive has no barrier"));
    EXPECT_THAT(refused("tilereel report 09_tiled --order lanes"), HasSubstr("--without-barrier"));
    EXPECT_THAT(refused("tilereel report 09_tiled --order up" + without("09_tiled")),
                HasSubstr("round-robin, warps, warps-backward, lanes, or adversarial"));
    EXPECT_THAT(refused("tilereel report 09_tiled --without-barrier zero"),
                HasSubstr("--without-barrier takes"));
}

}  // namespace
}  // namespace tilereel::tests::removed_barrier_report_test
