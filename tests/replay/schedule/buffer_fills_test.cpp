// The tiles in the planes of multi-buffered shared arrays. By the kernels' index arithmetic, the
// copied columns of A or rows of B identify a tile.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "app/ladder/ladder.h"
#include "app/replay/elements.h"
#include "app/replay/replay.h"

namespace tilereel::buffer_fills_test {
namespace {

constexpr ArrayId kArrayA = 0, kArrayB = 1;

struct Case {
    const char* kernel;
    KernelParameters parameters;
    std::uint32_t depth, planes;  // k a tile; stages
};

Trace record(const Case& c) {
    RecordRequest request;
    request.kernel = c.kernel;
    request.parameters = c.parameters;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return std::move(trace).value();
}

struct Tile {  // steps
    std::uint32_t begun = kNoStep, arrived = 0, first_read = kNoStep, last_read = 0;
};

// The steps that copy and read each tile of one input.
std::vector<Tile> tiles_of(const Trace& trace, const Replay& replay, const Case& c, ArrayId input,
                           ArrayId shared) {
    const auto k = static_cast<std::uint32_t>(c.parameters.k);
    std::vector<Tile> tiles((k + c.depth - 1) / c.depth);
    const auto element = [&](std::uint64_t record, ArrayId array) {
        const LaneOffsets lanes = lane_offsets(trace, record);
        const auto lane = static_cast<std::size_t>(std::countr_zero(lanes.mask));
        return element_at(trace.arrays[array], lanes.bytes[lane]);
    };
    const auto copied = [&](std::uint64_t record) -> Tile& {
        const Element at = element(record, input);
        return tiles[(input == kArrayA ? at.column : at.row) / c.depth];
    };
    for (std::uint32_t i = 0; i < replay.schedule().steps.size(); ++i) {
        const Step& step = replay.schedule().steps[i];
        const Site& site = trace.sites[step.site];
        if (site.operation == Operation::kCopyLoad && site.array == input) {
            Tile& tile = copied(step.record);
            tile.begun = std::min(tile.begun, i);
        }
        if (site.array != shared) continue;
        if (site.operation == Operation::kCopyStore && !brings_zeros(trace, step.record))
            copied(step.record - 1).arrived = i;
        if (site.operation != Operation::kLoad && site.operation != Operation::kMatrixLoad)
            continue;
        // A read of a plane is of the last tile whose copy to the plane has begun.
        const std::uint32_t plane =
            element(step.record, shared).row / trace.arrays[shared].rows_of_plane();
        for (std::size_t t = plane; t < tiles.size(); t += c.planes)
            if (tiles[t].begun < i &&
                (t + c.planes >= tiles.size() || tiles[t + c.planes].begun > i)) {
                tiles[t].first_read = std::min(tiles[t].first_read, i);
                tiles[t].last_read = i;
            }
    }
    return tiles;
}

BufferState stage_of(const Tile& tile, std::uint32_t step) {
    if (step > tile.last_read) return BufferState::kAllRead;
    if (step >= tile.first_read) return BufferState::kBeingRead;
    return step > tile.arrived ? BufferState::kFilled : BufferState::kUnderWay;
}

class Pipelines : public testing::TestWithParam<Case> {};

TEST_P(Pipelines, EachPlaneHoldsOneTileAfterAnother) {
    const Case& c = GetParam();
    const Trace trace = record(c);
    Replay replay = Replay::of_block(trace, 0).value();
    constexpr std::array<ArrayId, 2> kShared = {3, 4};  // As and Bs
    std::array<std::vector<Tile>, 2> tiles_of_input;
    for (const ArrayId input : {kArrayA, kArrayB}) {
        const ArrayId shared = kShared[input];
        ASSERT_EQ(trace.arrays[shared].planes(), c.planes);
        const std::vector<Tile>& tiles = tiles_of_input[input] =
            tiles_of(trace, replay, c, input, shared);
        for (std::uint32_t t = 0; t < tiles.size(); ++t) {
            const auto fills = replay.fills(shared, t % c.planes);
            ASSERT_GT(fills.size(), t / c.planes);
            const BufferFill& fill = fills[t / c.planes];
            EXPECT_EQ(fill.begun, tiles[t].begun);
            EXPECT_EQ(fill.first_read, tiles[t].first_read);
            EXPECT_EQ(fill.last_read, tiles[t].last_read);
            EXPECT_EQ(fill.phase, t);
            EXPECT_TRUE(fill.copied);
        }
    }
    // The state at every third step, in both directions.
    const auto steps = static_cast<std::uint32_t>(replay.schedule().steps.size());
    for (const bool forward : {true, false})
        for (std::uint32_t i = 0; i < steps; i += 3) {
            const std::uint32_t step = forward ? i : steps - 1 - i;
            const ReplayState& state = replay.seek(replay.schedule().steps[step].begin);
            for (const ArrayId input : {kArrayA, kArrayB}) {
                const std::vector<Tile>& tiles = tiles_of_input[input];
                for (std::uint32_t plane = 0; plane < c.planes; ++plane) {
                    BufferState expected = BufferState::kEmpty;
                    for (std::size_t t = plane; t < tiles.size(); t += c.planes)
                        if (tiles[t].begun <= step) expected = stage_of(tiles[t], step);
                    ASSERT_EQ(state.shared[input].planes[plane].state, expected)
                        << c.kernel << " step " << step << " plane " << plane;
                }
            }
        }
}

INSTANTIATE_TEST_SUITE_P(All, Pipelines,
                         testing::Values(Case{"19_async_pipeline", {16, 16, 64, 16, 0}, 8, 3},
                                         Case{"19_async_pipeline", {32, 32, 48, 32, 0}, 8, 3},
                                         Case{"20_champion", {16, 16, 64, 16, 0}, 8, 3},
                                         Case{"20_champion", {32, 32, 56, 32, 0}, 8, 3},
                                         Case{"20_champion", {256, 128, 192, 256, 0}, 32, 4}),
                         [](const auto& c) {
                             return std::string(c.param.kernel).substr(0, 2) + "_" +
                                    std::to_string(c.param.parameters.tile);
                         });

// 23 reads its tiles by ldmatrix, and has read all of them in the end.
TEST(BufferFills, MatrixLoadsReadATile) {
    const Case c{"23_mma_pipeline", {64, 64, 256, 64, 0}, 64, 3};
    const Trace trace = record(c);
    Replay replay = Replay::of_block(trace, 0).value();
    constexpr std::array<ArrayId, 2> kShared = {3, 4};  // As and Bs
    for (const ArrayId input : {kArrayA, kArrayB}) {
        const std::vector<Tile> tiles = tiles_of(trace, replay, c, input, kShared[input]);
        for (std::uint32_t t = 0; t < tiles.size(); ++t) {
            const BufferFill& fill = replay.fills(kShared[input], t % c.planes)[t / c.planes];
            EXPECT_NE(fill.first_read, kNoStep);
            EXPECT_EQ(fill.first_read, tiles[t].first_read);
            EXPECT_EQ(fill.last_read, tiles[t].last_read);
        }
        const ReplayState& end = replay.seek(replay.schedule().ticks);
        for (const SharedPlaneState& plane : end.shared[input].planes)
            EXPECT_EQ(plane.state, BufferState::kAllRead);
    }
}

TEST(BufferFills, AnArrayOfOnePlaneHasNone) {
    const Trace trace = record({"09_tiled", {16, 16, 16, 8, 0}, 8, 1});
    const Replay replay = Replay::of_block(trace, 0).value();
    EXPECT_TRUE(replay.fills(3, 0).empty());
}

}  // namespace
}  // namespace tilereel::buffer_fills_test
