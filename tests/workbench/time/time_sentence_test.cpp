// What the page "Where the time goes" says in one sentence. The estimates are made up, so each
// figure of a sentence is known.
#include "app/workbench/time/time_sentence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/workbench/time/estimate_figures.h"
#include "tests/workbench/bench.h"
#include "tests/workbench/made_up_estimate.h"

namespace tilereel::time_sentence_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const GpuModel& h100() { return *find_gpu_model("h100"); }

EstimatedLaunch launch() {
    return made_up_estimate({.gpu = &h100(), .request = request("09_tiled", 2048, 16)});
}
std::string said(const EstimatedLaunch& of) {
    return plain_text(time_sentence({.launch = of}, h100(), [](auto) { return Tone::kStrong; }));
}

TEST(TimeSentence, NamesTheLimitAndWhatToTry) {
    EXPECT_EQ(said(launch()),
              "Shared memory is the limit: accesses to Bs and As keep the memory pipe 88 % busy, "
              "the FMA pipe 14 %. TILE 32 would be about 2.0 times as fast.");
}

TEST(TimeSentence, OfGlobalMemoryDramAndWaiting) {
    EstimatedLaunch of = launch();
    of.changes.clear();
    of.estimate.lines = {{.line = 3, .share = 1, .waited = 9, .arrays = {{0, 1.0}}}};
    EXPECT_EQ(said(of),
              "Global requests are the limit: accesses to A keep the memory pipe 88 % "
              "busy, the FMA pipe 14 %.");
    of.estimate.limiter = Pipe::kDram;
    of.estimate.busy[static_cast<std::size_t>(Pipe::kDram)] = 0.95;
    EXPECT_THAT(said(of), HasSubstr("DRAM is the limit: accesses to A keep the DRAM 95 % busy"));
    of.estimate.latency = true;
    EXPECT_THAT(said(of), HasSubstr("Waiting is the limit: no pipe is busy"));
    EXPECT_THAT(said(of), HasSubstr("Warps wait most at line 3."));
    of.estimate.blocks = 16;
    of.estimate.launch_seconds = 2e-6;
    EXPECT_EQ(said(of),
              "The launch is small: 16 of 132 SMs have a block, and starting it takes "
              "about 2.0 us.");
}

TEST(TimeSentence, ABoundIsCalledOne) {
    EstimatedLaunch of = launch();
    of.changes.clear();
    of.estimate.kind = EstimateKind::kAtLeast;
    of.estimate.why_bound = "the time of bulk copies is not modelled";
    EXPECT_THAT(said(of), HasSubstr("At least 2.0 ms, a bound, because the time of bulk copies is "
                                    "not modelled."));
    EXPECT_THAT(said(of), Not(HasSubstr("about")));
}

// Only once all changes are known.
TEST(TimeSentence, SaysThatNothingHelps) {
    EstimatedLaunch of = launch();
    std::erase_if(of.changes, [](const TimeChange& each) { return each.what == "TILE 32"; });
    const char* const words = "No change that was tried makes it a tenth faster.";
    EXPECT_THAT(said(of), Not(HasSubstr(words)));
    EXPECT_THAT(plain_text(time_sentence({.launch = of, .complete = true}, h100(),
                                         [](auto) { return Tone::kStrong; })),
                HasSubstr(words));
}

TEST(TimeSentence, OfWhatCannotBeEstimated) {
    const auto words = [](const TimeAnswer& answer) {
        return plain_text(time_sentence(answer, h100(), [](auto) { return Tone::kStrong; }));
    };
    EXPECT_EQ(words({.problem = "no block was recorded"}), "No block was recorded.");
    EXPECT_EQ(words({}), "The time is being estimated.");
}

// First what changes the least: a TILE or PAD, then another kernel.
TEST(ChangeToTry, PrefersTheSameKernel) {
    EstimatedLaunch of = launch();
    const RecordRequest other = request("15_register_tile", 2048, 128);
    of.changes.push_back({.kind = ChangeKind::kOtherKernel,
                          .what = "15 register_tile",
                          .seconds = 0.5e-3,
                          .launch = other});
    EXPECT_EQ(change_to_try(of)->what, "TILE 32");
    std::erase_if(of.changes, [](const TimeChange& each) { return each.what == "TILE 32"; });
    EXPECT_EQ(change_to_try(of)->what, "15 register_tile");
    of.changes.pop_back();
    EXPECT_EQ(change_to_try(of), nullptr) << "the others are the same or slower";
    of.changes[0].seconds = 1e-3;
    EXPECT_EQ(change_to_try(of)->what, "without bank conflicts");
}

TEST(EstimateFigures, HaveTwoDigits) {
    EXPECT_EQ(two_digits(9.2074), "9.2");
    EXPECT_EQ(two_digits(0.0314), "0.031");
    EXPECT_EQ(two_digits(43.7), "44");
    EXPECT_EQ(two_digits(9207), "9,200");
    EXPECT_EQ(two_digits(0), "0");
    EXPECT_EQ(duration_text(1.87e-3), "1.9 ms");
    EXPECT_EQ(duration_text(14e-6), "14 us");
    EXPECT_EQ(share_text(0.876), "88 %");
    EXPECT_EQ(share_text(0.001), "<1 %");
    EXPECT_EQ(share_text(0), "0 %");
}

}  // namespace
}  // namespace tilereel::time_sentence_test
