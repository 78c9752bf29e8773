// When requests run: the warps in round-robin order, each request for as many ticks as it costs.
#include <gtest/gtest.h>

#include "app/replay/replay.h"
#include "tests/replay/kernel_script.h"

namespace tilereel::schedule_test {
namespace {

struct Case {
    std::string kernel;
    ScriptSize size;
};
const std::vector<Case> kCases = {
    {"09", {16, 16, 16, 4, 0}}, {"09", {16, 16, 16, 8, 0}},  {"09", {16, 16, 16, 16, 1}},
    {"08", {16, 16, 16, 8, 1}}, {"08", {32, 32, 32, 32, 0}}, {"08", {32, 32, 32, 32, 1}},
    {"02", {16, 16, 16, 8, 0}}, {"02", {9, 21, 5, 8, 0}},    {"01", {16, 16, 16, 16, 0}},
    {"01", {19, 33, 7, 16, 0}},
};

TEST(Schedule, EqualsTheRoundRobinOrder) {
    for (const auto& [kernel, size] : kCases) {
        const Trace trace = trace_of(kernel, size);
        const Dim3 grid = grid_of(kernel, size);
        for (std::uint32_t block = 0; block < grid.count(); ++block) {
            const Script script = script_of(kernel, size, static_cast<int>(block % grid.x),
                                            static_cast<int>(block / grid.x));
            const std::vector<ScheduledRequest> schedule = schedule_of(script);
            Result<Replay> replay = Replay::of_block(trace, block);
            ASSERT_TRUE(replay.has_value());
            ASSERT_EQ(replay->schedule().steps.size(), schedule.size())
                << kernel << " block " << block;
            for (std::size_t i = 0; i < schedule.size(); ++i) {
                const Step& step = replay->schedule().steps[i];
                ASSERT_EQ(step.begin, schedule[i].begin) << kernel << " step " << i;
                ASSERT_EQ(step.ticks, schedule[i].ticks) << kernel << " step " << i;
                ASSERT_EQ(step.warp, schedule[i].warp) << kernel << " step " << i;
                ASSERT_EQ(step.phase, static_cast<std::uint32_t>(schedule[i].operation->phase))
                    << kernel << " step " << i;
                ASSERT_EQ(trace.arrays[trace.sites[step.site].array].name,
                          schedule[i].operation->array);
            }
            EXPECT_EQ(replay->schedule().ticks,
                      schedule.empty() ? 0 : schedule.back().begin + schedule.back().ticks);
        }
    }
}

Tick ticks_of(const std::string& kernel, const ScriptSize& size) {
    const Trace trace = trace_of(kernel, size);
    return Replay::of_block(trace, 0)->schedule().ticks;
}

// By hand. 09, TILE 4: a phase loads 2 lines for each matrix, stores twice, reads 2 x 4 times; then
// C takes 2 lines. 08, TILE 32: each of 32 warps loads 2 lines, stores As in 1 and Bs in 32
// wavefronts, reads As in 1 and Bs in 32 wavefronts 32 times, and stores 1 line.
TEST(Schedule, LengthsEqualThoseComputedByHand) {
    EXPECT_EQ(ticks_of("09", {16, 16, 16, 4, 0}), 58u);
    EXPECT_EQ(ticks_of("09", {16, 16, 16, 8, 0}), 92u);
    EXPECT_EQ(ticks_of("08", {32, 32, 32, 32, 0}), 34'944u);
    EXPECT_EQ(ticks_of("08", {32, 32, 32, 32, 1}), 2'208u);
}

TEST(Schedule, CostOfEachLine) {
    const Trace trace = trace_of("09", {16, 16, 16, 4, 0});
    const Result<Replay> replay = Replay::of_block(trace, 6);
    EXPECT_EQ(replay->schedule().ticks_of_line[3], 12u);  // A loaded, As stored
    EXPECT_EQ(replay->schedule().ticks_of_line[4], 12u);  // B loaded, Bs stored
    EXPECT_EQ(replay->schedule().ticks_of_line[7], 32u);  // As and Bs read
    EXPECT_EQ(replay->schedule().ticks_of_line[9], 2u);   // C stored
}

TEST(Schedule, SpansCoverTheBlockAndBarriersEndThem) {
    const Trace trace = trace_of("09", {16, 16, 16, 8, 0});
    const Result<Replay> replay = Replay::of_block(trace, 1);
    ASSERT_EQ(replay->schedule().spans.size(), 5u);
    const std::vector<Tick> ends = {12, 44, 56, 88, 92};
    Tick begin = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        EXPECT_EQ(replay->schedule().spans[i].begin, begin);
        EXPECT_EQ(replay->schedule().spans[i].end, ends[i]);
        EXPECT_EQ(replay->schedule().spans[i].barrier_after, i < 4);
        EXPECT_EQ(replay->schedule().spans[i].phase, i / 2 - i / 4);
        begin = ends[i];
    }
    ASSERT_EQ(replay->schedule().barriers.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(replay->schedule().barriers[i].at, ends[i]);
}

TEST(Schedule, BandsAndTilesAreWhatTheBlockTouches) {
    const Trace trace = trace_of("09", {16, 16, 16, 4, 0});
    const Result<Replay> replay = Replay::of_block(trace, 6);  // block (2,1)
    EXPECT_EQ(replay->regions().c, (CellRect{4, 8, 8, 12}));
    EXPECT_EQ(replay->regions().band(0), (CellRect{4, 0, 8, 16}));
    EXPECT_EQ(replay->regions().band(1), (CellRect{0, 8, 16, 12}));
    EXPECT_EQ(replay->regions().tile(0, 1), (CellRect{4, 4, 8, 8}));
    EXPECT_EQ(replay->regions().tile(1, 3), (CellRect{12, 8, 16, 12}));
    EXPECT_TRUE(replay->regions().tile(2, 0).empty());
    EXPECT_EQ(replay->regions().tile(2, 3), (CellRect{4, 8, 8, 12}));
    EXPECT_TRUE(replay->regions().tile(0, 4).empty());
    EXPECT_TRUE(replay->regions().band(99).empty());
}

TEST(Schedule, AnUnknownBlockIsAWrongCall) {
    const Trace trace = trace_of("09", {16, 16, 16, 8, 0});
    const Result<Replay> replay = Replay::of_block(trace, 4);
    ASSERT_FALSE(replay.has_value());
    EXPECT_EQ(replay.error().kind, ErrorKind::kWrongCall);
}

}  // namespace
}  // namespace tilereel::schedule_test
