#include "app/workbench/playhead.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "instrumentation/record/record.h"

namespace tilereel {
namespace {

class PlayHeadTest : public testing::Test {
  protected:
    const Trace trace_ =
        record_with_emulator(
            {.kernel = "09_tiled", .parameters = {.m = 8, .n = 8, .k = 8, .tile = 4}, .inputs = {}})
            .value();
    Replay replay_ = Replay::of_block(trace_, 0).value();
    PlayHead head_{false};
    [[nodiscard]] double ticks() const { return static_cast<double>(replay_.ticks()); }
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

TEST_F(PlayHeadTest, PausedOrScrubbingItStands) {
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
    for (const Replay::Unit unit :
         {Replay::Unit::kWavefront, Replay::Unit::kRequest, Replay::Unit::kPhase}) {
        head_.go_to(replay_, 0);
        head_.toggle_playing(&replay_);
        Tick expected = 0;
        while (expected < replay_.ticks()) {
            expected = replay_.next(unit, expected);
            head_.step(replay_, unit, +1);
            ASSERT_EQ(head_.position(), static_cast<double>(expected));
            ASSERT_EQ(replay_.state().tick, expected);
            ASSERT_FALSE(head_.playing());
        }
        while (expected > 0) {
            expected = replay_.previous(unit, expected);
            head_.step(replay_, unit, -1);
            ASSERT_EQ(head_.position(), static_cast<double>(expected));
        }
    }
}

TEST_F(PlayHeadTest, NumbersThatAreNoneOrOutOfRangeAreTamed) {
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

TEST(PlayHeadSpeed, OnlyOfferedSpeedsAreTaken) {
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
}  // namespace tilereel
