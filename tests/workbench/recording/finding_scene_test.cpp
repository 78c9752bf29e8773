// Where a source text has room for a missing barrier.
#include "app/workbench/recording/finding_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "app/ladder/ladder.h"
#include "app/replay/places/moment.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::finding_scene_test {
namespace {

// Returns "line:indentation" of the barrier, or "none".
std::string place(std::string_view source, std::uint32_t after, std::uint32_t before,
                  bool next_trip) {
    RaceOrder order;
    order.after_line = after;
    order.before_line = before;
    order.next_trip = next_trip;
    const std::optional<BarrierPlace> found = place_of_barrier(source, order);
    if (!found) return "none";
    return std::to_string(found->after_line) + ":" + std::to_string(found->indentation);
}

TEST(PlaceOfBarrier, FollowsTheWholeStatement) {
    constexpr std::string_view kSource =
        "s[i] =\n"
        "    a[i];  // stored;\n"
        "x = s[j];\n";
    EXPECT_EQ(place(kSource, 1, 3, false), "2:0");
}

TEST(PlaceOfBarrier, AtTheEndOfATripFollowsTheInnerBlocks) {
    constexpr std::string_view kSource =
        "for (;;) {\n"
        "    s[i] = a[i];\n"
        "    __syncthreads();\n"
        "    for (int k = 0; k < T; ++k) {\n"
        "        if (k != i) {\n"
        "            x += s[k];\n"
        "        }\n"
        "    }\n"
        "}\n";
    EXPECT_EQ(place(kSource, 6, 2, true), "8:4");
}

TEST(PlaceOfBarrier, IsNoneWithinOneLineOrOutsideOfTheText) {
    EXPECT_EQ(place("s[i] = s[j];\n", 1, 1, false), "none");
    EXPECT_EQ(place("s[i] = s[j];\n", 0, 0, false), "none");
    EXPECT_EQ(place("s[i] = s[j];\n", 3, 4, false), "none");
    EXPECT_EQ(place("", 1, 2, false), "none");
    EXPECT_EQ(place("for (;;)\n    s[i] = s[j] + 1;\n", 2, 2, true), "2:4");
    EXPECT_EQ(place("s[i] = s[j]", 1, 1, true), "1:0") << "a statement without an end";
}

// Two warps or two blocks, without a barrier: the first stores 7 to a[0], the second reads a[0].
Recording race_in_global_memory(bool in_other_block) {
    TraceBuilder builder;
    const ArrayId array = builder.add_array("a", Space::kGlobal, 1, 64);
    const auto first = [](int) { return 0u; };
    builder.begin_segment(0, 0, 0);
    builder.set_line(3);
    builder.access(Operation::kStore, array, first, 1);
    builder.begin_segment(in_other_block ? 1 : 0, 0, in_other_block ? 0 : 1);
    builder.set_line(4);
    builder.access(Operation::kLoad, array, first, 1);
    Trace trace = builder.take();
    trace.product.reset();
    trace.launch.block = {64, 1, 1};
    trace.launch.grid = {2, 1, 1};
    trace.arrays[array].type = ElementType::kInt32;
    trace.arrays[array].one_extent = true;
    trace.arrays[array].first_bytes.assign(256, std::byte{2});  // 0x02020202
    trace.records.site[0] |= Records::kHasValues;
    trace.words = {7};
    for (std::size_t i = 1; i < trace.segments.value_begin.size(); ++i)
        trace.segments.value_begin[i] = 1;
    Recording recording;
    recording.findings = find_hazards(trace);
    recording.trace = std::make_shared<const Trace>(std::move(trace));
    return recording;
}

std::optional<FindingScene> scene_of(const Recording& recording,
                                     FindingAdvice advice = FindingAdvice::kTold) {
    EXPECT_EQ(recording.findings.size(), 1u);
    Result<Replay> replay = Replay::of_block(*recording.trace, 0);
    EXPECT_TRUE(replay);
    const auto moment =
        recording.findings.empty() ? std::nullopt : moment_of(*replay, recording.findings.front());
    if (!moment) return std::nullopt;
    replay->seek(*moment);
    return finding_scene_of(recording, *replay, advice);
}

TEST(FindingScene, KnowsTheValuesOfGlobalMemory) {
    const auto scene = scene_of(race_in_global_memory(false));
    ASSERT_TRUE(scene && scene->pair);
    EXPECT_FALSE(scene->pair->other_block);
    EXPECT_EQ(scene->pair->held, "33686018");
    EXPECT_EQ(scene->pair->stored, "7");
    EXPECT_EQ(plain_text(scene->sentence),
              "Race: thread 32 of warp 1 reads a[0] on line 4 while thread 0 of warp 0 may not "
              "have stored it yet on line 3, and may get 33686018 instead of 7. A __syncthreads() "
              "after line 3 makes it wait.");
}

// In an exercise the sentence leaves out what to do.
TEST(FindingScene, CanLeaveOutTheAdvice) {
    const auto scene = scene_of(race_in_global_memory(false), FindingAdvice::kNotTold);
    ASSERT_TRUE(scene && scene->pair);
    EXPECT_TRUE(plain_text(scene->sentence).ends_with("and may get 33686018 instead of 7."));
}

// Warp 0 runs a phase ahead, so the replay shows warp 1's read after the store that it races with.
TEST(FindingScene, KnowsTheValueThatALaterPhaseHasOverwritten) {
    RecordRequest request;
    request.kernel = "08_tiled_b_transposed";
    request.parameters = {.m = 32, .n = 32, .k = 32, .tile = 16};
    request.removed_barrier = 31;
    request.find_failing_order = true;
    const Result<Trace> trace = record_ladder(request);
    ASSERT_TRUE(trace) << trace.error().message;
    Recording recording;
    recording.findings = find_hazards(*trace);
    recording.trace = std::make_shared<const Trace>(*trace);
    Result<Replay> replay = Replay::of_block(*recording.trace, 0);
    ASSERT_TRUE(replay && !recording.findings.empty());
    const auto moment = moment_of(*replay, recording.findings.front());
    ASSERT_TRUE(moment);
    replay->seek(*moment);
    const auto scene = finding_scene_of(recording, *replay);
    EXPECT_EQ(replay->state().tick, *moment);
    ASSERT_TRUE(scene && scene->pair);
    EXPECT_LT(scene->pair->later, *moment);  // the store of the later phase
    const Array& b = *std::ranges::find(trace->arrays, "B", &Array::name);
    const auto value = [&](std::uint32_t row) {
        float number = 0;
        std::memcpy(&number, b.first_bytes.data() + std::size_t{row} * b.leading_dimension * 4, 4);
        return std::to_string(std::lround(number));
    };
    EXPECT_EQ(scene->pair->held, value(0));     // B[0][0], of phase 1
    EXPECT_EQ(scene->pair->stored, value(16));  // B[16][0], of phase 2
    EXPECT_NE(scene->pair->held, scene->pair->stored);
}

TEST(FindingScene, TellsAnErrorThatOnlyTheRecorderSaw) {
    Recording recording = race_in_global_memory(false);
    Trace trace = *recording.trace;
    trace.findings.push_back({.kind = RecordedFindingKind::kOutOfBounds,
                              .line = 4,
                              .block = 0,
                              .thread = 33,
                              .what = "Thread 33 of block 0 reads a[64].",
                              .advice = "Check the index."});
    recording.trace = std::make_shared<const Trace>(std::move(trace));
    const auto scene = scene_of(recording);
    ASSERT_TRUE(scene);
    EXPECT_TRUE(scene->recorded);
    EXPECT_EQ(plain_text(scene->sentence),
              "Error: thread 33 of block 0 reads a[64]. Check the index.");
}

TEST(FindingScene, OfTwoBlocksNamesTheOtherOne) {
    const auto scene = scene_of(race_in_global_memory(true));
    ASSERT_TRUE(scene && scene->pair);
    EXPECT_EQ(scene->pair->other_block, 1u);
    EXPECT_EQ(scene->pair->order.later.thread, 0u);
    EXPECT_EQ(scene->pair->held, "") << "when the other block runs is not known";
    EXPECT_TRUE(plain_text(scene->sentence).starts_with("Race: thread 0 of warp 0 of block 0 "))
        << plain_text(scene->sentence);
}

}  // namespace
}  // namespace tilereel::finding_scene_test
