// When flights leave and land, where blocks lie in C, and how values are written.
#include "app/stage/plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/stage/values.h"
#include "instrumentation/record/record.h"

namespace tilereel::stage {
namespace {

Trace record(const char* kernel, KernelParameters parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    Result<Trace> trace = record_with_emulator(request);
    EXPECT_TRUE(trace.has_value());
    return std::move(trace).value();
}

TEST(Leg, RowsLeaveAndLandInOrderAndNeverCross) {
    Leg leg;
    leg.leave = 14;
    leg.land = 19;
    leg.rows = 4;
    for (const bool upward : {true, false}) {
        for (std::uint32_t order = 0; order < 4; ++order) {
            leg.row = upward ? order : 3 - order;
            EXPECT_NEAR(leg.leaves(upward), 14 + 0.6 * order, 1e-9);
            EXPECT_NEAR(leg.lands(upward), 19 - 0.4 * (3 - order), 1e-9);
        }
    }
}

TEST(Leg, TravelsAtLeastThreeTicksHoweverManyRows) {
    Leg leg;
    leg.land = kFlightTicks;
    leg.rows = 32;
    for (leg.row = 0; leg.row < 32; ++leg.row) EXPECT_GE(leg.lands(true) - leg.leaves(true), 3.19);
    leg.row = 0;
    EXPECT_EQ(leg.progress(-1, true), 0);
    EXPECT_EQ(leg.progress(100, true), 1);
}

TEST(StagePlan, FlightsTakeFiveTicksAndKnowTheValueTheyReplace) {
    const Trace trace = record("09_tiled", {16, 16, 16, 4, 0});
    const Result<Replay> replay = Replay::of_block(trace, 6);
    ASSERT_TRUE(replay.has_value());
    StagePlan plan;
    EXPECT_TRUE(plan.refresh(*replay));
    EXPECT_FALSE(plan.refresh(*replay));
    // Four phases, each brings 16 elements of A and 16 of B.
    ASSERT_EQ(replay->flights().size(), 128u);
    for (std::uint32_t phase = 0; phase < 4; ++phase)
        EXPECT_EQ(plan.flights_of_phase(phase).size(), 32u);
    for (std::uint32_t i = 0; i < 128; ++i) {
        const Leg& leg = plan.leg(i);
        EXPECT_GE(leg.land - leg.leave, kFlightTicks);
        EXPECT_EQ(leg.rows, 4u);
        EXPECT_EQ(leg.previous == kNoIndex, leg.phase == 0);
        if (leg.previous == kNoIndex) continue;
        const Flight &now = replay->flights()[i], &before = replay->flights()[leg.previous];
        EXPECT_EQ(plan.leg(leg.previous).phase + 1, leg.phase);
        EXPECT_EQ(now.to, before.to);
        EXPECT_EQ(now.to_row, before.to_row);
        EXPECT_EQ(now.to_column, before.to_column);
    }
}

// Where the whole replay is hardly longer than a flight, what is read has landed.
TEST(StagePlan, InATinyReplayAFlightLandsBeforeItsValueIsRead) {
    const std::vector<std::pair<const char*, KernelParameters>> cases = {
        {"09_tiled", {2, 2, 2, 2, 0}},           {"09_tiled", {2, 2, 4, 2, 0}},
        {"06_single_block", {2, 2, 2, 16, 0}},   {"08_tiled_b_transposed", {4, 4, 4, 4, 0}},
        {"10_tiled_any_size", {1, 1, 1, 2, 0}},  {"04_guide_a_shared", {4, 4, 4, 4, 0}},
        {"05_guide_ab_shared", {4, 4, 4, 4, 0}}, {"09_tiled", {4, 4, 4, 4, 0}}};
    std::size_t tiny = 0;
    for (const auto& [kernel, parameters] : cases) {
        const Trace trace = record(kernel, parameters);
        const Result<Replay> replay = Replay::of_block(trace, 0);
        ASSERT_TRUE(replay.has_value());
        if (replay->ticks() > kTinyReplay) continue;
        ++tiny;
        StagePlan plan;
        plan.refresh(*replay);
        for (std::uint32_t i = 0; i < replay->flights().size(); ++i) {
            const Flight& flight = replay->flights()[i];
            const Leg& leg = plan.leg(i);
            ASSERT_LT(flight.first_read, replay->steps().size()) << kernel;
            const auto read = static_cast<double>(replay->steps()[flight.first_read].begin);
            for (const bool upward : {true, false}) {
                EXPECT_LE(leg.lands(upward), read) << kernel << " flight " << i;
                EXPECT_GT(leg.lands(upward), leg.leaves(upward)) << kernel << " flight " << i;
                EXPECT_EQ(leg.progress(read, upward), 1) << kernel << " flight " << i;
            }
        }
    }
    EXPECT_GE(tiny, 4u);
}

// 14: while phase 1 runs, what it reads was loaded in phase 0, and the flights of phase 1 bring the
// tile of phase 2.
TEST(StagePlan, KnowsTheFlightsWhoseValuesAreStillNeeded) {
    const Trace trace = record("14_outer_product_prefetch", {16, 64, 48, 16, 0});
    const Result<Replay> replay = Replay::of_block(trace, 0);
    ASSERT_TRUE(replay.has_value());
    StagePlan plan;
    plan.refresh(*replay);
    EXPECT_EQ(plan.flights_of_phase(0).size(), 512u);  // the first tile and the second
    EXPECT_EQ(plan.flights_held(0).size(), 0u);
    for (std::uint32_t phase = 1; phase < 3; ++phase) {
        EXPECT_EQ(plan.flights_of_phase(phase).size(), phase == 1 ? 256u : 0u);
        EXPECT_EQ(plan.flights_held(phase).size(), 256u);
        for (const std::uint32_t index : plan.flights_held(phase)) {
            const Flight& flight = replay->flights()[index];
            EXPECT_EQ(flight.from_column / 16, phase);
            EXPECT_EQ(flight.to_row / 16, phase % 2) << "the buffer that is read";
        }
    }
}

// The plan moves block (0, 0)'s rectangle; the replay finds each block's own from its stores.
void expect_blocks_where_they_store(const Trace& trace) {
    StagePlan plan;
    for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
        const Result<Replay> replay = Replay::of_block(trace, block);
        ASSERT_TRUE(replay.has_value());
        plan.refresh(*replay);
        const std::uint32_t x = block % trace.launch.grid.x, y = block / trace.launch.grid.x;
        EXPECT_EQ(plan.blocks().at(x, y, trace.launch), replay->c_rect()) << x << "," << y;
    }
}

TEST(BlockGrid, FollowsTheKernelsOwnMapping) {
    expect_blocks_where_they_store(record("09_tiled", {16, 24, 8, 8, 0}));
    expect_blocks_where_they_store(record("01_naive_by_column", {16, 16, 8, 4, 0}));
    expect_blocks_where_they_store(record("02_naive", {10, 7, 5, 4, 0}));
    expect_blocks_where_they_store(record("01_naive_by_column", {10, 7, 5, 4, 0}));
}

TEST(CellText, IsWholeOrShort) {
    EXPECT_EQ(text_of(5).view(), "5");
    EXPECT_EQ(text_of(-0.0f).view(), "0");
    EXPECT_EQ(text_of(101).view(), "101");
    EXPECT_EQ(text_of(-7).view(), "-7");
    EXPECT_EQ(text_of(0.125f).view(), "0.12");
    EXPECT_EQ(text_of(12.34f).view(), "12.3");
    EXPECT_EQ(text_of(1e20f).view(), "1e+20");
    EXPECT_EQ(text_of(std::nanf("")).view(), "?");
}

TEST(CellText, WidestHoldsEveryValue) {
    const std::vector<float> whole{0, 5, 3}, signs{-10, 5}, fractions{0.5f, -0.25f};
    EXPECT_EQ(widest(whole), 1);
    EXPECT_EQ(widest(signs), 3);
    EXPECT_EQ(widest(fractions), 5);
    EXPECT_EQ(widest({}), 1);
}

}  // namespace
}  // namespace tilereel::stage
