// Where the warps of a block were when its recording was cut off.
#include "instrumentation/trace/warp_stop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "instrumentation/trace/check/trace_check.h"
#include "instrumentation/trace/file/trace_file.h"
#include "instrumentation/trace/stopped_warps.h"
#include "tests/trace/program_traces.h"
#include "tests/trace/same_trace.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::warp_stop_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// 2 blocks of 2 warps; the last line that records name is line 10.
Trace cut_trace(std::vector<WarpStop> stops) {
    Trace trace = reduction_trace();
    trace.complete = false;
    trace.warp_stops = std::move(stops);
    return trace;
}

std::string words_of(const Trace& trace, std::uint32_t block, std::uint16_t warp) {
    return tilereel::words_of(stop_of_warp(trace, block, warp));
}

TEST(WarpStop, OnlyWarpsThatHaveReturnedAreDone) {
    const Trace trace =
        cut_trace({{0, 0, WarpStopKind::kInLoop, 7}, {0, 1, WarpStopKind::kReturned, 0}});
    EXPECT_EQ(words_of(trace, 0, 0), "in the loop, line 7");
    EXPECT_EQ(words_of(trace, 0, 1), "done");
    EXPECT_EQ(words_of(trace, 1, 0), "done") << "the other block is whole";
    EXPECT_FALSE(is_block_complete(trace, 0));
    EXPECT_TRUE(is_block_complete(trace, 1));
    EXPECT_EQ(stops_text(trace, 0), "warp 0: in the loop, line 7; warp 1: done");
    EXPECT_EQ(stops_text(trace, 1), "");
    EXPECT_THAT(stopped_blocks(trace), ElementsAre(0));
}

TEST(WarpStop, WordsOfEachKind) {
    const auto words = [](WarpStopKind kind, std::uint32_t line) {
        const WarpStop stop{.kind = kind, .line = line};
        return tilereel::words_of(stop) + " | " + short_words_of(stop);
    };
    EXPECT_EQ(words(WarpStopKind::kRecordedUpTo, 5), "up to line 5 | up to line 5");
    EXPECT_EQ(words(WarpStopKind::kInLoop, 13), "in the loop, line 13 | loop, line 13");
    EXPECT_EQ(words(WarpStopKind::kInLoop, 0), "in a loop | loop");
    EXPECT_EQ(words(WarpStopKind::kOnLine, 4), "on line 4 | on line 4");
    EXPECT_EQ(words(WarpStopKind::kAtBarrier, 9), "waits at the barrier on line 9 | waits, line 9");
    EXPECT_EQ(words(WarpStopKind::kAtLanes, 9),
              "waits for its other lanes on line 9 | waits, line 9");
    EXPECT_EQ(words(WarpStopKind::kAtPhase, 9), "waits for a phase on line 9 | waits, line 9");
    EXPECT_EQ(words(WarpStopKind::kNotBegun, 0), "not begun | not begun");
    EXPECT_EQ(words(WarpStopKind::kFaulted, 4), "stopped on line 4 | stopped, line 4");
    EXPECT_EQ(words(WarpStopKind::kFaulted, 0), "stopped | stopped");
}

// Older files do not say where the warps were. The line is that of the warp's last record.
TEST(WarpStop, WithoutStopsARecordingReachesItsLastRecord) {
    Trace trace = cut_trace({});
    trace.warp_stops.reset();
    EXPECT_EQ(words_of(trace, 0, 0), "up to line 10");
    EXPECT_EQ(words_of(trace, 0, 1), "up to line 8");
    EXPECT_FALSE(is_block_complete(trace, 1));
    EXPECT_EQ(stops_text(trace, 0), "");
    trace.segments.record_begin.assign(trace.segments.record_begin.size(), 0);
    EXPECT_EQ(words_of(trace, 0, 0), "not recorded");
}

TEST(WarpStop, WarpsWithTheSameWordsAreNamedTogether) {
    Trace trace = cut_trace({});
    for (std::uint16_t warp = 0; warp < 6; ++warp)
        trace.warp_stops->push_back({1, warp, WarpStopKind::kNotBegun, 0});
    trace.warp_stops->at(0) = {1, 0, WarpStopKind::kInLoop, 3};
    EXPECT_EQ(stops_text(trace, 1), "warp 0: in the loop, line 3; warps 1 to 5: not begun");
    trace.warp_stops->at(2) = {1, 2, WarpStopKind::kAtBarrier, 4};
    EXPECT_EQ(stops_text(trace, 1),
              "warp 0: in the loop, line 3; warp 1: not begun; warp 2: waits at the barrier on "
              "line 4; warps 3 to 5: not begun");
}

// A block was cut off at the budget and went on, until the program was stopped.
TEST(WarpStop, ALaterStopReplacesAnEarlierOneUnlessTheWarpHasReturned) {
    std::vector<WarpStop> stops = {{3, 0, WarpStopKind::kReturned, 0},
                                   {3, 1, WarpStopKind::kRecordedUpTo, 0},
                                   {3, 2, WarpStopKind::kRecordedUpTo, 0}};
    add_stops({{3, 0, WarpStopKind::kReturned, 0},
               {3, 1, WarpStopKind::kReturned, 0},
               {3, 2, WarpStopKind::kInLoop, 8},
               {1, 0, WarpStopKind::kNotBegun, 0}},
              stops);
    sort_stops(stops);
    EXPECT_THAT(stops, ElementsAre(WarpStop{1, 0, WarpStopKind::kNotBegun, 0},
                                   WarpStop{3, 0, WarpStopKind::kReturned, 0},
                                   WarpStop{3, 1, WarpStopKind::kRecordedUpTo, 0},
                                   WarpStop{3, 2, WarpStopKind::kInLoop, 8}));
}

TEST(WarpStop, AFileKeepsThemAndRefusesOthers) {
    const ScratchFolder folder;
    for (const Trace& trace :
         {cut_trace({}), cut_trace({{0, 1, WarpStopKind::kAtBarrier, 5}}), reduction_trace()}) {
        ASSERT_TRUE(write_trace(trace, folder / "t.npz"));
        const Result<Trace> read = read_trace(folder / "t.npz");
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(first_difference(trace, *read), "");
    }
    const std::vector<std::vector<WarpStop>> wrong = {
        {{2, 0}}, {{0, 2}}, {{0, 1}, {0, 0}}, {{1, 0}, {1, 0}}, {{0, 0, WarpStopKind(9), 1}}};
    for (const std::vector<WarpStop>& stops : wrong) {
        const Status checked = check_trace(cut_trace(stops));
        ASSERT_FALSE(checked);
        EXPECT_THAT(checked.error().message, HasSubstr("warps that were stopped"));
    }
}

}  // namespace
}  // namespace tilereel::tests::warp_stop_test
