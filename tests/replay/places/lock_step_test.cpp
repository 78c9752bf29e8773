// Two replays in lock-step.
#include "app/replay/places/lock_step.h"

#include <gtest/gtest.h>

#include <optional>

#include "tests/replay/kernel_script.h"

namespace tilereel::lock_step_test {
namespace {

struct Pair {
    Trace left, right;
    std::optional<Replay> left_replay, right_replay;
    std::optional<LockStep> steps;
    Pair(Trace a, Trace b, const Generation& of_right = default_generation())
        : left(std::move(a)), right(std::move(b)) {
        left_replay.emplace(Replay::of_block(left, 0).value());
        right_replay.emplace(Replay::of_block(right, 0, of_right).value());
        steps.emplace(*left_replay, *right_replay);
    }
};

// Each read of Bs takes 32 wavefronts without padding and 1 with it. Both sides run the same
// kernel, so every step has a counterpart, and the slower side sets the time.
TEST(LockStep, TheOtherSideWaitsForABankConflict) {
    Pair pair(trace_of("08", {32, 32, 32, 32, 0}), trace_of("08", {32, 32, 32, 32, 1}));
    const LockStep& steps = *pair.steps;
    EXPECT_EQ(steps.steps_only_of(Side::kLeft), 0u);
    EXPECT_EQ(steps.steps_only_of(Side::kRight), 0u);
    EXPECT_EQ(steps.ticks(), pair.left_replay->schedule().ticks);
    const Schedule& left = pair.left_replay->schedule();
    const Schedule& right = pair.right_replay->schedule();
    std::size_t conflicts = 0;
    for (const LockStepEntry& entry : steps.entries()) {
        const Step &a = left.steps[entry.step[0]], &b = right.steps[entry.step[1]];
        ASSERT_EQ(a.warp, b.warp);
        ASSERT_EQ(pair.left.sites[a.site].line, pair.right.sites[b.site].line);
        ASSERT_EQ(entry.ticks, std::max(a.ticks, b.ticks));
        if (a.ticks != 32 || b.ticks != 1) continue;
        ++conflicts;
        const auto eighth = static_cast<double>(entry.begin) + 7;
        EXPECT_EQ(static_cast<Tick>(steps.position_of(Side::kLeft, eighth)), a.begin + 7);
        EXPECT_EQ(static_cast<Tick>(steps.position_of(Side::kRight, eighth)), b.begin);
        EXPECT_FALSE(steps.waits(Side::kLeft, eighth));
        EXPECT_TRUE(steps.waits(Side::kRight, eighth));
    }
    // 32 warps read a column of Bs for each of 32 k, and each stores one.
    EXPECT_EQ(conflicts, 32u * 32 + 32);
}

// With half the TILE there are twice as many phases, of half as many products each.
TEST(LockStep, AStepWithoutCounterpartIsAnEntryByItself) {
    Pair pair(trace_of("09", {16, 16, 16, 8, 0}), trace_of("09", {16, 16, 16, 4, 0}));
    const LockStep& steps = *pair.steps;
    const auto count = [](const Replay& replay) { return replay.schedule().steps.size(); };
    const std::size_t both = steps.entries().size() - steps.steps_only_of(Side::kLeft) -
                             steps.steps_only_of(Side::kRight);
    EXPECT_EQ(both + steps.steps_only_of(Side::kLeft), count(*pair.left_replay));
    EXPECT_EQ(both + steps.steps_only_of(Side::kRight), count(*pair.right_replay));
    EXPECT_GT(steps.steps_only_of(Side::kLeft), 0u);  // warp 1, which a block of 4 x 4 lacks
    for (const LockStepEntry& entry : steps.entries()) {
        const auto begin = static_cast<double>(entry.begin);
        for (const Side side : {Side::kLeft, Side::kRight})
            EXPECT_TRUE(entry.has(side) || steps.waits(side, begin));
        if (!entry.has(Side::kRight) || entry.has(Side::kLeft)) continue;
        // TILE 8 has 2 phases; the later phases of TILE 4 have no counterpart.
        const Step& alone = pair.right_replay->schedule().steps[entry.step[1]];
        EXPECT_TRUE(alone.phase >= 2 || alone.part == Part::kStore) << alone.phase;
    }
}

TEST(LockStep, EachSideVisitsAllOfItsSteps) {
    Pair pair(trace_of("02", {16, 16, 16, 8, 0}), trace_of("09", {16, 16, 16, 8, 0}));
    const LockStep& steps = *pair.steps;
    EXPECT_EQ(steps.position_of(Side::kLeft, 0), 0);
    for (const auto& [side, replay] : {std::pair{Side::kLeft, &*pair.left_replay},
                                       std::pair{Side::kRight, &*pair.right_replay}}) {
        const Schedule& schedule = replay->schedule();
        EXPECT_EQ(steps.position_of(side, static_cast<double>(steps.ticks())),
                  static_cast<double>(schedule.ticks));
        for (const Step& step : schedule.steps) {
            const auto begin = static_cast<double>(step.begin);
            const double common = steps.common_of(side, begin);
            EXPECT_EQ(steps.position_of(side, common), begin);
            EXPECT_TRUE(steps.entry_at(common).has(side));
        }
    }
}

TEST(LockStep, SteppingForwardAndBackVisitsEveryEntry) {
    Pair pair(trace_of("08", {16, 16, 16, 16, 0}), trace_of("08", {16, 16, 16, 16, 1}));
    const LockStep& steps = *pair.steps;
    Tick tick = 0;
    for (const LockStepEntry& entry : steps.entries()) {
        ASSERT_EQ(tick, entry.begin);
        tick = steps.next_tick(StepUnit::kRequest, tick);
        ASSERT_EQ(steps.previous_tick(StepUnit::kRequest, tick), entry.begin);
    }
    EXPECT_EQ(tick, steps.ticks());
    EXPECT_EQ(steps.next_tick(StepUnit::kWavefront, 3), 4u);
    EXPECT_EQ(steps.previous_tick(StepUnit::kPhase, steps.ticks()), 0u);  // one phase
    EXPECT_FALSE(steps.part_stops().empty());
}

}  // namespace
}  // namespace tilereel::lock_step_test
