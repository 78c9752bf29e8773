#include "app/workbench/playhead.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/ladder/ladder.h"
#include "app/replay/places/navigation.h"

namespace tilereel::playhead_test {
namespace {

class PlayHeadTest : public testing::Test {
  protected:
    const Trace trace_ =
        record_built_in(
            {.kernel = "09_tiled", .parameters = {.m = 8, .n = 8, .k = 8, .tile = 4}, .inputs = {}})
            .value();
    Replay replay_ = Replay::of_block(trace_, 0).value();
    PlayHead head_{false};
    [[nodiscard]] double ticks() const { return static_cast<double>(replay_.schedule().ticks); }
};

TEST_F(PlayHeadTest, OneTickTakes160MillisecondsAtSpeedOne) {
    head_.toggle_playing(&replay_);
    head_.advance(replay_, 0.400);
    EXPECT_DOUBLE_EQ(head_.position(), 2.5);
    EXPECT_EQ(replay_.state().tick, 2u);
    head_.set_speed(8);
    head_.advance(replay_, 0.010);
    EXPECT_DOUBLE_EQ(head_.position(), 3.0);
}

TEST_F(PlayHeadTest, PlayingStopsAtTheEndAndStartsOver) {
    head_.toggle_playing(&replay_);
    head_.advance(replay_, 1e9);
    EXPECT_EQ(head_.position(), ticks());
    EXPECT_FALSE(head_.playing());
    head_.toggle_playing(&replay_);
    EXPECT_TRUE(head_.playing());
    EXPECT_EQ(head_.position(), 0);
}

TEST_F(PlayHeadTest, DoesNotMoveByItselfWhilePausedOrScrubbing) {
    head_.advance(replay_, 1);
    EXPECT_EQ(head_.position(), 0);
    head_.toggle_playing(&replay_);
    head_.seek(replay_, 4.5, true);
    head_.advance(replay_, 1);
    EXPECT_EQ(head_.position(), 4.5);
    EXPECT_TRUE(head_.scrubbing());
    head_.seek(replay_, 4.5, false);
    EXPECT_FALSE(head_.scrubbing());
    head_.advance(replay_, 0.16);
    EXPECT_EQ(head_.position(), 5.5);
}

TEST_F(PlayHeadTest, StepsPauseAndFollowTheReplay) {
    for (const StepUnit unit : {StepUnit::kWavefront, StepUnit::kRequest, StepUnit::kPhase}) {
        head_.go_to(replay_, 0);
        head_.toggle_playing(&replay_);
        Tick expected = 0;
        while (expected < replay_.schedule().ticks) {
            expected = next_tick(replay_, unit, expected);
            head_.step(replay_, unit, +1);
            head_.advance(replay_, 2);
            ASSERT_EQ(head_.position(), static_cast<double>(expected));
            ASSERT_EQ(replay_.state().tick, expected);
            ASSERT_FALSE(head_.playing());
        }
        while (expected > 0) {
            expected = previous_tick(replay_, unit, expected);
            head_.step(replay_, unit, -1);
            ASSERT_EQ(head_.position(), static_cast<double>(expected));
        }
    }
}

// A request is played in at most 300 ms and a phase in at most 1.5 s, at any speed.
TEST_F(PlayHeadTest, AStepOnIsPlayedInAShortTimeWhateverTheSpeed) {
    const std::vector<std::pair<StepUnit, double>> units = {
        {StepUnit::kWavefront, 0.160}, {StepUnit::kRequest, 0.3}, {StepUnit::kPhase, 1.5}};
    for (const double speed : {0.125, 1.0, 64.0})
        for (const auto& [unit, longest] : units) {
            head_.set_speed(speed);
            head_.go_to(replay_, 0);
            head_.step(replay_, unit, +1);
            const auto end = static_cast<double>(next_tick(replay_, unit, 0));
            const double seconds = std::min(end * kSecondsATick, longest);
            EXPECT_EQ(head_.position(), 0);
            EXPECT_TRUE(head_.moving());
            EXPECT_FALSE(head_.playing());
            head_.advance(replay_, seconds / 2);
            EXPECT_NEAR(head_.position(), end / 2, 1e-9);
            EXPECT_TRUE(head_.moving());
            head_.advance(replay_, seconds / 2 + 1e-6);
            EXPECT_EQ(head_.position(), end);
            EXPECT_FALSE(head_.moving());
            head_.advance(replay_, 10);
            EXPECT_EQ(head_.position(), end);
        }
}

TEST_F(PlayHeadTest, ASecondStepFirstGoesToTheEndOfTheOneUnderWay) {
    const Tick first = next_tick(replay_, StepUnit::kPhase, 0);
    head_.step(replay_, StepUnit::kPhase, +1);
    head_.advance(replay_, 0.01);
    head_.step(replay_, StepUnit::kPhase, +1);
    EXPECT_EQ(head_.position(), static_cast<double>(first));
    EXPECT_EQ(head_.moved_from(), static_cast<double>(first));
    head_.advance(replay_, 0.01);
    head_.step(replay_, StepUnit::kPhase, -1);  // back from the end of the second step
    EXPECT_EQ(head_.position(), static_cast<double>(first));
    EXPECT_FALSE(head_.moving());
}

// 09 at 8x8x8, TILE 4: two phases, each with two barriers.
TEST_F(PlayHeadTest, PartsAreLoadBarrierComputeBarrier) {
    ASSERT_EQ(replay_.schedule().barriers.size(), 4u);
    const std::vector<Barrier>& barriers = replay_.schedule().barriers;
    std::vector<double> expected;
    for (const Barrier& barrier : barriers) {
        expected.push_back(static_cast<double>(barrier.at) - 1.0 / 32);
        expected.push_back(static_cast<double>(barrier.at));
    }
    expected.push_back(ticks());
    std::vector<Part> parts;
    for (const double stop : expected) {
        head_.step_part(replay_, +1);
        EXPECT_TRUE(head_.moving());
        head_.advance(replay_, 1.5 + 1e-6);
        EXPECT_NEAR(head_.position(), stop, 1e-9);
        EXPECT_FALSE(head_.moving());
        parts.push_back(replay_.state().part);
    }
    using enum Part;
    EXPECT_EQ(parts, (std::vector<Part>{kLoad, kCompute, kCompute, kLoad, kLoad, kCompute, kCompute,
                                        kStore, kStore}));
    expected.pop_back();
    expected.insert(expected.begin(), 0);
    for (std::size_t i = expected.size(); i-- > 0;) {
        head_.step_part(replay_, -1);
        EXPECT_NEAR(head_.position(), expected[i], 1e-9);
        EXPECT_FALSE(head_.moving());
    }
    head_.step_part(replay_, -1);
    EXPECT_EQ(head_.position(), 0);
}

TEST_F(PlayHeadTest, PartsPressedQuicklyGoOnePartEach) {
    for (int press = 0; press < 3; ++press) {
        head_.step_part(replay_, +1);
        head_.advance(replay_, 0.001);
    }
    head_.advance(replay_, 2);
    EXPECT_NEAR(head_.position(), static_cast<double>(replay_.schedule().barriers[1].at) - 1.0 / 32,
                1e-9);
}

TEST_F(PlayHeadTest, ALoopPlaysOnePhaseAgainAndAgain) {
    const auto second = static_cast<double>(next_tick(replay_, StepUnit::kPhase, 0));
    head_.toggle_looping();
    head_.go_to(replay_, second + 1);
    head_.toggle_playing(&replay_);
    int returns = 0;
    for (int i = 0; i < 1000; ++i) {
        const double before = head_.position();
        head_.advance(replay_, 0.05);
        ASSERT_GE(head_.position(), second);
        ASSERT_LT(head_.position(), ticks());
        returns += head_.position() < before;
    }
    EXPECT_GT(returns, 3);
    EXPECT_TRUE(head_.playing());
    head_.go_to(replay_, 1);  // now the first phase
    for (int i = 0; i < 1000; ++i) {
        head_.advance(replay_, 0.05);
        ASSERT_LT(head_.position(), second);
    }
    head_.toggle_looping();
    head_.advance(replay_, 1e9);
    EXPECT_FALSE(head_.playing());
}

TEST_F(PlayHeadTest, InvalidNumbersAreLimited) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    head_.seek(replay_, kInfinity, false);
    EXPECT_EQ(head_.position(), ticks());
    head_.seek(replay_, -kInfinity, false);
    EXPECT_EQ(head_.position(), 0);
    head_.seek(replay_, 3, false);
    head_.seek(replay_, std::nan(""), false);
    EXPECT_EQ(head_.position(), 3);
    head_.toggle_playing(&replay_);
    head_.advance(replay_, std::nan(""));
    head_.advance(replay_, -5);
    EXPECT_EQ(head_.position(), 3);
    head_.advance(replay_, kInfinity);
    EXPECT_EQ(head_.position(), ticks());
}

TEST(PlayHeadSpeed, ASpeedIsRoundedToAnOfferedOne) {
    PlayHead head(false);
    EXPECT_EQ(head.speed(), 1);
    head.change_speed(+1);
    EXPECT_EQ(head.speed(), 2);
    head.change_speed(std::numeric_limits<int>::max());
    EXPECT_EQ(head.speed(), 64);
    head.change_speed(-1);
    EXPECT_EQ(head.speed(), 16);
    head.change_speed(std::numeric_limits<int>::min());
    EXPECT_EQ(head.speed(), 0.125);
    head.set_speed(5);
    EXPECT_EQ(head.speed(), 4);
    for (const double none : {0.0, -1.0, std::nan("")}) {
        head.set_speed(none);
        EXPECT_EQ(head.speed(), 4);
    }
    head.set_speed(1e300);
    EXPECT_EQ(head.speed(), 64);
}

}  // namespace
}  // namespace tilereel::playhead_test
