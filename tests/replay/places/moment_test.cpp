// The tick at which a hazard happens.
#include "app/replay/places/moment.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/replay/hand_trace.h"

namespace tilereel::moment_test {
namespace {

// Two warps, two epochs and two blocks. In each epoch warp 0 stores row 1 of As (line 10) and row 0
// (line 11). Warp 1 loads from A (line 12), then reads row 0 of As (line 13): a race with line 11.
Trace two_epochs() {
    HandTrace hand(64, 1, 1, {2, 1, 1}, {64, 1, 1});
    const ArrayId as = hand.shared_array("As", 2, 32, 32);
    const std::uint32_t kA = 0;
    const std::vector<float> ones(32, 1.0f);
    for (std::uint32_t block = 0; block < 2; ++block) {
        for (std::uint32_t epoch = 0; epoch < 2; ++epoch) {
            hand.access(block, 0, 10, as, Operation::kStore, strided(128, 4), ones);
            hand.access(block, 0, 11, as, Operation::kStore, strided(0, 4), ones);
            hand.access(block, 1, 12, kA, Operation::kLoad, strided(0, 4));
            hand.access(block, 1, 13, as, Operation::kLoad, strided(0, 4, 8));
            for (const std::uint16_t warp : {std::uint16_t{0}, std::uint16_t{1}})
                hand.barrier(block, warp, 14);
        }
        hand.access(block, 0, 15, 2, Operation::kStore, strided(128 * block, 4), ones);
    }
    return hand.finish();
}

const Finding* race_with_line_11(const Trace& trace, const std::vector<Finding>& findings) {
    for (const Finding& finding : findings)
        if (trace.sites[finding.first.site].line == 11) return &finding;
    return nullptr;
}

TEST(Moment, IsTheLaterOfTheTwoAccesses) {
    const Trace trace = two_epochs();
    const std::vector<Finding> findings = find_hazards(trace);
    const Finding* race = race_with_line_11(trace, findings);
    ASSERT_NE(race, nullptr);
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    for (const std::uint32_t epoch : {0u, 1u}) {
        Finding at = *race;
        at.epoch = epoch;
        const std::optional<Tick> tick = moment_of(*replay, at);
        ASSERT_TRUE(tick);
        // Round-robin: line 10, line 12, line 11, line 13. The read comes last.
        const ReplayState& state = replay->seek(*tick);
        const Step& step = replay->schedule().steps[state.step];
        EXPECT_EQ(step.epoch, epoch);
        EXPECT_EQ(trace.sites[step.site].line, 13u);
        EXPECT_EQ(*tick, step.begin);
    }
}

TEST(Moment, IsInTheFindingsOwnBlock) {
    const Trace trace = two_epochs();
    const std::vector<Finding> findings = find_hazards(trace);
    const Finding* race = race_with_line_11(trace, findings);
    ASSERT_NE(race, nullptr);
    Result<Replay> other = Replay::of_block(trace, 1);
    ASSERT_TRUE(other);
    EXPECT_FALSE(moment_of(*other, *race));
    Finding there = *race;
    there.block = 1;
    const std::optional<Tick> tick = moment_of(*other, there);
    ASSERT_TRUE(tick);
    const Step& step = other->schedule().steps[other->seek(*tick).step];
    EXPECT_EQ(step.epoch, race->epoch);
    EXPECT_EQ(trace.sites[step.site].line, 13u);
}

TEST(Moment, LooksForTheCellAndNotOnlyForTheLine) {
    HandTrace hand(1, 1, 1, {1, 1, 1}, {64, 1, 1});
    const ArrayId as = hand.shared_array("As", 4, 32, 32);
    const std::vector<float> ones(32, 1.0f);
    hand.access(0, 0, 10, as, Operation::kStore, strided(3 * 128, 4), ones);
    for (std::uint32_t row = 0; row < 4; ++row)  // a loop: row 3 comes last
        hand.access(0, 1, 12, as, Operation::kLoad, strided(row * 128, 4));
    const Trace trace = hand.finish();
    const std::vector<Finding> findings = find_hazards(trace);
    const auto race = std::ranges::find(findings, Hazard::kRace, &Finding::hazard);
    ASSERT_NE(race, findings.end());
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    const std::optional<Tick> tick = moment_of(*replay, *race);
    ASSERT_TRUE(tick);
    EXPECT_EQ(*tick, replay->schedule().steps.back().begin);
}

TEST(Moment, OfADivergentBarrierIsWhileTheOthersWait) {
    HandTrace hand(1, 1, 1, {1, 1, 1}, {64, 1, 1});
    const ArrayId as = hand.shared_array("As", 2, 32, 32);
    const std::vector<float> ones(32, 1.0f);
    hand.access(0, 0, 10, as, Operation::kStore, strided(0, 4), ones);
    hand.barrier(0, 0, 11);
    hand.access(0, 1, 10, as, Operation::kStore, strided(128, 4), ones);
    hand.barrier(0, 1, 12);
    const Trace trace = hand.finish();
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_EQ(findings.size(), 1u);
    ASSERT_EQ(findings[0].hazard, Hazard::kBarrierDivergence);
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    const std::optional<Tick> tick = moment_of(*replay, findings[0]);
    ASSERT_TRUE(tick);
    EXPECT_TRUE(replay->seek(*tick).at_barrier);
}

// If the recorder suppresses an access, such as one out of bounds, the lane is missing from the
// request's record.
TEST(Moment, OfASuppressedAccessIsTheRequestThatLacksTheLane) {
    HandTrace hand(64, 1, 1, {1, 1, 1}, {64, 1, 1});
    const std::uint32_t kA = 0;
    hand.access(0, 0, 10, kA, Operation::kLoad, strided(0, 4));
    hand.access(0, 1, 10, kA, Operation::kLoad, strided(128, 4));
    hand.access(0, 0, 11, kA, Operation::kLoad, strided(0, 4));
    hand.access(0, 1, 10, kA, Operation::kLoad, strided(128, 4, 31));  // without lane 31
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    RecordedFinding finding{.line = 10, .block = 0, .thread = 63, .what = {}, .advice = {}};
    const std::optional<Tick> tick = moment_of(*replay, finding);
    ASSERT_TRUE(tick);
    replay->seek(*tick);
    const Step& step = replay->schedule().steps[replay->state().step];
    EXPECT_EQ(step.warp, 1u);
    EXPECT_EQ(lane_offsets(trace, step.record).mask, 0x7fffffffu);
    finding.line = 11;  // no request of warp 1: the line's first request
    ASSERT_TRUE(moment_of(*replay, finding));
    replay->seek(*moment_of(*replay, finding));
    EXPECT_EQ(trace.sites[replay->schedule().steps[replay->state().step].site].line, 11u);
    finding.line = 12;
    EXPECT_FALSE(moment_of(*replay, finding));
    finding = {.line = 10, .block = 1, .thread = 63, .what = {}, .advice = {}};
    EXPECT_FALSE(moment_of(*replay, finding));
}

// An access whose subscript lies outside of its row takes place.
TEST(Moment, OfASubscriptIsTheRequestThatHasTheLane) {
    HandTrace hand(64, 1, 1, {1, 1, 1}, {64, 1, 1});
    hand.access(0, 1, 10, 0, Operation::kLoad, strided(128, 4, 31));  // without lane 31
    hand.access(0, 1, 10, 0, Operation::kLoad, strided(128, 4));
    const Trace trace = hand.finish();
    Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay);
    const RecordedFinding finding{.kind = RecordedFindingKind::kSubscript,
                                  .line = 10,
                                  .block = 0,
                                  .thread = 63,
                                  .what = {},
                                  .advice = {}};
    const std::optional<Tick> tick = moment_of(*replay, finding);
    ASSERT_TRUE(tick);
    replay->seek(*tick);
    EXPECT_EQ(lane_offsets(trace, replay->schedule().steps[replay->state().step].record).mask,
              0xffffffffu);
}

}  // namespace
}  // namespace tilereel::moment_test
