// The workbench with its worker thread, as in the window.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include "app/ladder/ladder.h"
#include "app/replay/places/navigation.h"
#include "tests/workbench/bench.h"

namespace tilereel::workbench_recording_test {
namespace {

KernelParameters parameters(int extent, int tile, int pad = 0) {
    return {.m = extent, .n = extent, .k = extent, .tile = tile, .pad = pad};
}

TEST(WorkbenchRecording, IsTakenOverByAFrame) {
    Workbench workbench(paused(request("09_tiled", 64, 16), true));
    EXPECT_EQ(workbench.recording(), nullptr);
    EXPECT_NE(workbench.recording_progress(), nullptr);
    ASSERT_TRUE(wait_until_recorded(workbench));
    ASSERT_NE(workbench.recording(), nullptr);
    EXPECT_EQ(workbench.recording()->counts.multiply_adds, 262144u);
    EXPECT_EQ(workbench.before().label, "02 naive");
    EXPECT_EQ(workbench.message(), "");
}

TEST(WorkbenchRecording, TheNewestRequestWins) {
    Workbench workbench(paused(request("09_tiled", 64, 16), true));
    for (const int tile : {2, 4, 8, 16, 32, 8, 4})
        workbench.apply(SetParameters{parameters(64, tile)});
    EXPECT_EQ(workbench.request().parameters.tile, 4);
    ASSERT_TRUE(wait_until_recorded(workbench));
    EXPECT_EQ(workbench.recording()->request.parameters.tile, 4);
    EXPECT_EQ(workbench.recording()->trace->launch.tile, 4u);
    EXPECT_EQ(workbench.message(), "");  // a cancelled recording gives no message
}

TEST(WorkbenchRecording, TheUserMayMoveOnWhileItRuns) {
    Workbench workbench(paused(request("09_tiled", 64, 16), true));
    ASSERT_TRUE(wait_until_recorded(workbench));
    workbench.apply(SetParameters{parameters(64, 8)});
    workbench.apply(WatchBlock{3, 2});  // of the former recording: rows 32..47, columns 48..63
    workbench.apply(SeekTo{.tick = static_cast<double>(workbench.replay()->schedule().ticks) / 2});
    const LogicalPlace place =
        place_at(*workbench.replay(), static_cast<Tick>(workbench.position()));
    ASSERT_TRUE(wait_until_recorded(workbench));
    const CellRect c = workbench.replay()->regions().c;
    EXPECT_TRUE(c.row0 >= 32 && c.row1 <= 48 && c.column0 >= 48) << c.row0 << ' ' << c.column0;
    EXPECT_EQ(workbench.replay()->state().part, place.part);
}

TEST(WorkbenchRecording, CancelKeepsTheFormer) {
    Workbench workbench(paused(request("09_tiled", 16, 4), true));
    ASSERT_TRUE(wait_until_recorded(workbench));
    const Trace* former = workbench.recording()->trace.get();
    workbench.apply(SetParameters{parameters(256, 16)});
    EXPECT_EQ(workbench.request().parameters, parameters(256, 16));
    workbench.apply(CancelRecording{});
    EXPECT_EQ(workbench.recording_progress(), nullptr);
    EXPECT_EQ(workbench.request().parameters, parameters(16, 4));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    workbench.advance(0.016);
    EXPECT_EQ(workbench.recording()->trace.get(), former);
    EXPECT_EQ(workbench.message(), "");
    workbench.apply(SetParameters{parameters(16, 8)});
    ASSERT_TRUE(wait_until_recorded(workbench));
    EXPECT_EQ(workbench.recording()->request.parameters, parameters(16, 8));
}

std::size_t threads_of_this_process() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

TEST(WorkbenchRecording, DestructionCancelsAndJoins) {
    const std::size_t before = threads_of_this_process();
    for (int i = 0; i < 5; ++i) {
        Workbench workbench(paused(request("09_tiled", 256, 16), true));
        std::this_thread::sleep_for(std::chrono::milliseconds(i));
        EXPECT_NE(workbench.recording_progress(), nullptr) << "it is still under way";
        EXPECT_GT(threads_of_this_process(), before);
    }
    EXPECT_EQ(threads_of_this_process(), before);
}

TEST(WorkbenchRecording, PlayGoesOnAcrossATakeover) {
    Workbench workbench({.request = request("09_tiled", 64, 16), .trace = {}, .playing = true});
    ASSERT_TRUE(wait_until_recorded(workbench));
    workbench.advance(1.6);
    EXPECT_DOUBLE_EQ(workbench.position(), 10);
    workbench.apply(TogglePad{});
    ASSERT_TRUE(wait_until_recorded(workbench));
    EXPECT_TRUE(workbench.playing());
    // At tick 10 the warps still load, which PAD does not change.
    EXPECT_DOUBLE_EQ(workbench.position(), 10);
    workbench.advance(1.6);
    EXPECT_DOUBLE_EQ(workbench.position(), 20);
}

// The memory limit lets only some blocks be recorded. Another one is recorded when it is watched,
// and stays watched when the rules of another GPU count.
TEST(WorkbenchRecording, ABlockThatDidNotFitIsRecordedWhenItIsWatched) {
    RecordRequest large = request("09_tiled", 256, 16);
    large.parameters.k = 64;
    const Result<std::uint64_t> bytes = estimate_trace_bytes(large);
    ASSERT_TRUE(bytes);
    large.memory_limit_bytes = *bytes / 2;
    Workbench workbench(paused(large));
    ASSERT_NE(workbench.recording(), nullptr) << workbench.message();
    const std::vector<std::uint32_t> first = workbench.recording()->trace->chosen_blocks;
    std::uint32_t block = 1;
    while (std::ranges::binary_search(first, block)) ++block;
    ASSERT_FALSE(first.empty());
    ASSERT_LT(block, 256u);
    EXPECT_TRUE(workbench.can_record(block));
    workbench.apply(WatchBlock{block, 0});
    EXPECT_EQ(workbench.message(), "");
    EXPECT_EQ(workbench.replay()->block(), block);
    EXPECT_TRUE(is_chosen(*workbench.recording()->trace, block));
    EXPECT_EQ(workbench.recording()->trace->wrong_elements, 0u);
    // The counts of some blocks are not compared with those of other blocks.
    EXPECT_EQ(workbench.before().label, "");
    workbench.apply(SetGeneration{"7.0"});
    EXPECT_EQ(workbench.replay()->block(), block);
    workbench.apply(TogglePad{});
    EXPECT_EQ(workbench.recording()->request.parameters.pad, 1);
    EXPECT_EQ(workbench.before().label, "");
}

// Twenty changes are asked for before the first of them is recorded: a frame takes a recording
// over, and no frame is drawn here.
TEST(WorkbenchRecording, TheWindowNeverWaits) {
    Workbench workbench(paused(request("09_tiled", 64, 16), true));
    ASSERT_TRUE(wait_until_recorded(workbench));
    for (int i = 0; i < 20; ++i)
        workbench.apply(SetParameters{parameters(256, i % 2 == 0 ? 16 : 8)});
    EXPECT_EQ(workbench.recording()->request.parameters.m, 64);
    EXPECT_NE(workbench.recording_progress(), nullptr);
}

}  // namespace
}  // namespace tilereel::workbench_recording_test
