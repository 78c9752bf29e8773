// The times of flights, the blocks' parts of C, and the text of values.
#include "app/stage/plan/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/ladder/ladder.h"
#include "app/replay/places/navigation.h"
#include "app/stage/plan/values.h"

namespace tilereel::stage::plan_test {
namespace {

Trace record(const char* kernel, KernelParameters parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace.has_value());
    return std::move(trace).value();
}

TEST(StagePlan, FlightsTakeFiveTicksUnlessTheBarrierOpensAndNameTheFlightTheyReplace) {
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
        const DrawnFlight& drawn_flight = plan.drawn_flight(i);
        const Flight& flight = replay->flights()[i];
        const Step& store = replay->schedule().steps[flight.store_step];
        const auto barrier = std::ranges::find_if(
            replay->schedule().barriers, [&](const Barrier& b) { return b.epoch == store.epoch; });
        ASSERT_NE(barrier, replay->schedule().barriers.end());
        EXPECT_EQ(drawn_flight.land,
                  std::min(drawn_flight.leave + kFlightTicks, static_cast<double>(barrier->at)));
        EXPECT_EQ(drawn_flight.previous == kNoIndex, drawn_flight.phase == 0);
        if (drawn_flight.previous == kNoIndex) continue;
        const Flight &now = replay->flights()[i],
                     &before = replay->flights()[drawn_flight.previous];
        EXPECT_EQ(plan.drawn_flight(drawn_flight.previous).phase + 1, drawn_flight.phase);
        EXPECT_EQ(now.to, before.to);
        EXPECT_EQ(now.to_row, before.to_row);
        EXPECT_EQ(now.to_column, before.to_column);
    }
}

// Kernel 14: while phase 1 runs, what it reads was loaded in phase 0, and the flights of phase 1
// bring the tile of phase 2.
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

// The plan computes each block's part of C from that of block (0, 0); the replay finds it from the
// block's own stores.
void expect_blocks_where_they_store(const Trace& trace) {
    StagePlan plan;
    for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
        const Result<Replay> replay = Replay::of_block(trace, block);
        ASSERT_TRUE(replay.has_value());
        plan.refresh(*replay);
        const std::uint32_t x = block % trace.launch.grid.x, y = block / trace.launch.grid.x;
        EXPECT_EQ(plan.blocks().at(x, y, trace.launch), replay->regions().c) << x << "," << y;
    }
}

TEST(BlockGrid, FollowsTheKernelsOwnMapping) {
    expect_blocks_where_they_store(record("09_tiled", {16, 24, 8, 8, 0}));
    expect_blocks_where_they_store(record("01_naive_by_column", {16, 16, 8, 4, 0}));
    expect_blocks_where_they_store(record("02_naive", {10, 7, 5, 4, 0}));
    expect_blocks_where_they_store(record("01_naive_by_column", {10, 7, 5, 4, 0}));
}

// Of a grid of 2,147,483,647 blocks, only the four with records are visited.
TEST(BlockGrid, AHugeGridListsTheBlocksWithRecords) {
    Trace trace = record("09_tiled", {16, 16, 8, 8, 0});
    trace.launch.grid = {0x7fffffff, 1, 1};
    trace.complete = false;
    const Result<Replay> replay = Replay::of_block(trace, block_at(trace, {}));
    ASSERT_TRUE(replay);
    StagePlan plan;
    plan.refresh(*replay);
    std::vector<std::uint32_t> visited;
    plan.blocks().for_each(trace.launch, [&](std::uint32_t x, std::uint32_t y) {
        EXPECT_EQ(y, 0u);
        visited.push_back(x);
    });
    EXPECT_EQ(visited, (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(plan.map().columns, 4u);
    EXPECT_EQ(plan.map().block_at(0, 3), 3u);
}

TEST(CellText, AValueIsWrittenWholeOrShortened) {
    EXPECT_EQ(text_of(5).view(), "5");
    EXPECT_EQ(text_of(-0.0f).view(), "0");
    EXPECT_EQ(text_of(101).view(), "101");
    EXPECT_EQ(text_of(-7).view(), "-7");
    EXPECT_EQ(text_of(0.125f).view(), "0.12");
    EXPECT_EQ(text_of(12.34f).view(), "12.3");
    EXPECT_EQ(text_of(1e20f).view(), "1e+20");
    EXPECT_EQ(text_of(std::nanf("")).view(), "?");
}

TEST(CellText, TheWidestTextIsAsWideAsAnyValue) {
    const auto widest_of = [](const std::vector<float>& values) {
        const Array array = Array::of("x", Space::kGlobal, ElementType::kFloat32, 4,
                                      {{static_cast<std::uint32_t>(values.size())}});
        return widest(MatrixElements(array, std::as_bytes(std::span(values))));
    };
    EXPECT_EQ(widest_of({0, 5, 3}), 1);
    EXPECT_EQ(widest_of({-10, 5}), 3);
    EXPECT_EQ(widest_of({0.5f, -0.25f}), 5);
    EXPECT_EQ(widest({}), 1);
}

}  // namespace
}  // namespace tilereel::stage::plan_test
