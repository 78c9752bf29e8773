// The operands and sums that lanes hold in registers. The expected ones follow from the matrices
// and from the maps of threads in the kernels' files.
#include "app/replay/schedule/lane_work.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "app/ladder/ladder.h"
#include "app/replay/replay.h"
#include "app/replay/state/provenance.h"

namespace tilereel::lane_work_test {
namespace {

struct Case {
    const char* kernel;
    KernelParameters parameters;
    std::uint32_t side;  // a lane owns side x side sums
};
const std::vector<Case> kCases = {
    {"15_register_tile", {8, 8, 16, 8, 0}, 4},    {"15_register_tile", {32, 32, 16, 32, 0}, 4},
    {"16_vectorized", {16, 16, 16, 16, 4}, 4},    {"17_swizzled", {32, 32, 16, 16, 0}, 4},
    {"18_warp_tiled", {32, 32, 16, 32, 0}, 4},    {"18_warp_tiled", {128, 128, 16, 128, 0}, 8},
    {"19_async_pipeline", {32, 32, 32, 16, 0}, 4}};

Trace recorded(const Case& c) {
    RecordRequest request;
    request.kernel = c.kernel;
    request.parameters = c.parameters;
    return record_built_in(request).value();
}

// C follows from the operands that a lane holds at each multiply-add: none is missing, and none
// belongs to another k.
TEST(LaneWork, OperandsAndProductsMakeC) {
    for (const Case& c : kCases) {
        SCOPED_TRACE(testing::Message() << c.kernel << " TILE " << c.parameters.tile);
        const Trace trace = recorded(c);
        const Replay replay = Replay::of_block(trace, 0).value();
        ASSERT_TRUE(replay.provenance().lanes_own_tiles());
        const std::uint32_t k = trace.launch.k, n = trace.launch.n;
        const CellRect own = replay.regions().c;
        const std::uint32_t columns = own.column1 - own.column0;
        const std::uint32_t last = trace.launch.threads() - 1;
        for (const std::uint32_t thread : {0u, 3u, last}) {
            const LaneWork work =
                replay.provenance().lane_work(thread / kWarpSize, thread % kWarpSize);
            ASSERT_EQ(work.rows.size(), c.side);
            ASSERT_EQ(work.columns.size(), c.side);
            ASSERT_EQ(work.products.size(), k);
            std::map<std::pair<std::uint32_t, std::uint32_t>, float> a, b, sum;
            auto operand = work.operands.begin();
            for (std::uint32_t i = 0; i < k; ++i) {
                const LaneProducts& products = work.products[i];
                EXPECT_EQ(products.k, i);
                EXPECT_EQ(products.count, c.side * c.side);
                for (; operand != work.operands.end() && operand->step <= products.step; ++operand)
                    (operand->matrix == 0 ? a : b)[{operand->row, operand->column}] =
                        operand->value;
                for (std::uint32_t j = 0; j < products.count; ++j) {
                    const std::uint32_t at = work.order[products.first + j];
                    const std::uint32_t row = own.row0 + at / columns;
                    const std::uint32_t column = own.column0 + at % columns;
                    ASSERT_TRUE(a.contains({row, i}) && b.contains({i, column}));
                    sum[{row, column}] += a[{row, i}] * b[{i, column}];
                }
            }
            EXPECT_EQ(sum.size(), std::size_t{c.side} * c.side);
            for (const auto& [at, value] : sum)  // small whole numbers: exact
                EXPECT_EQ(value,
                          matrix_of(trace, MatrixRole::kC)[std::size_t{at.first} * n + at.second]);
        }
    }
}

TEST(LaneWork, A16ByteReadAlongARowHolds4ValuesOfK) {
    const Trace along = recorded({"19_async_pipeline", {32, 32, 32, 16, 0}, 4});
    const LaneWork of_pipeline = Replay::of_block(along, 0).value().provenance().lane_work(0, 0);
    EXPECT_EQ(of_pipeline.k_of_a, 4u);
    EXPECT_EQ(of_pipeline.k_of_b, 1u);
    const Trace transposed = recorded({"16_vectorized", {16, 16, 16, 16, 0}, 4});
    EXPECT_EQ(Replay::of_block(transposed, 0).value().provenance().lane_work(0, 0).k_of_a, 1u);
}

// In 15, the rows and columns of a thread lie EDGE = 2 apart. In 16, a thread has a piece of 4 x 4.
TEST(LaneWork, SumsAreAtTheCellsThatTheKernelAssigns) {
    const Trace apart = recorded({"15_register_tile", {8, 8, 8, 8, 0}, 4});
    const LaneWork one =
        Replay::of_block(apart, 0).value().provenance().lane_work(0, 1);  // thread (1, 0)
    EXPECT_EQ(one.rows, (std::vector<std::uint32_t>{0, 2, 4, 6}));
    EXPECT_EQ(one.columns, (std::vector<std::uint32_t>{1, 3, 5, 7}));
    const Trace pieces = recorded({"16_vectorized", {16, 16, 8, 16, 0}, 4});
    const Replay replay = Replay::of_block(pieces, 0).value();
    EXPECT_EQ(replay.provenance().lane_work(0, 2).cells, (std::vector<CellRect>{{0, 8, 4, 12}}));
    EXPECT_EQ(replay.provenance().owner_of({3, 8}), 2u);
    EXPECT_EQ(replay.provenance().owner_of({4, 0}), 4u);
}

// 18 at TILE 128: 8 warps of 32 x 64, two across; each reads its rows of A and columns of B only.
TEST(PartOfWarp, IsTheWarpTileOf18) {
    const Trace trace = recorded({"18_warp_tiled", {128, 128, 16, 128, 0}, 8});
    const Replay replay = Replay::of_block(trace, 0).value();
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
        const std::uint32_t row = warp / 2 * 32, column = warp % 2 * 64;
        EXPECT_EQ(replay.provenance().cells_of_warp(2, warp, 0),
                  (std::vector<CellRect>{{row, column, row + 32, column + 64}}));
        EXPECT_EQ(replay.provenance().cells_of_warp(0, warp, 0),
                  (std::vector<CellRect>{{row, 0, row + 32, 16}}));
        EXPECT_EQ(replay.provenance().cells_of_warp(1, warp, 0),
                  (std::vector<CellRect>{{0, column, 16, column + 64}}));
    }
}

TEST(PartOfWarp, PartsOfAllWarpsAreTheBlocksPartOfC) {
    for (const Case& c : kCases) {
        const Trace trace = recorded(c);
        const Replay replay = Replay::of_block(trace, 0).value();
        std::set<std::pair<std::uint32_t, std::uint32_t>> cells;
        std::size_t count = 0;
        for (std::uint32_t warp = 0; warp < trace.launch.warps(); ++warp)
            for (const CellRect& rect : replay.provenance().cells_of_warp(2, warp, 0))
                for (std::uint32_t row = rect.row0; row < rect.row1; ++row)
                    for (std::uint32_t column = rect.column0; column < rect.column1; ++column)
                        cells.insert({row, column}), ++count;
        EXPECT_EQ(cells.size(), count) << "none twice";
        const auto tile = static_cast<std::size_t>(c.parameters.tile);
        EXPECT_EQ(count, tile * tile) << c.kernel;
    }
}

TEST(Provenance, FindsTheFlightIntoACell) {
    const Trace trace = recorded({"09_tiled", {8, 8, 8, 4, 0}, 1});
    const Replay replay = Replay::of_block(trace, 0).value();
    EXPECT_FALSE(replay.provenance().lanes_own_tiles());
    EXPECT_EQ(replay.provenance().flight_into(3, {0, 0}, 0), kNoStep) << "nothing has landed";
    const Flight& last =
        replay.flights()[replay.provenance().flight_into(3, {2, 1}, replay.schedule().ticks)];
    EXPECT_EQ(last.from_row, 2u);
    EXPECT_EQ(last.from_column, 4u + 1) << "of the second phase";
}

// K = 5 and TILE 4: in phase 2 the threads with k > 0 store a zero that nobody loaded.
TEST(Provenance, AZeroBeyondTheEdgeHasNoFlight) {
    const Trace trace = recorded({"10_tiled_any_size", {4, 4, 5, 4, 0}, 1});
    const Replay replay = Replay::of_block(trace, 0).value();
    const Tick end = replay.schedule().ticks;
    const std::uint32_t loaded = replay.provenance().flight_into(3, {2, 0}, end);
    ASSERT_NE(loaded, kNoStep);
    EXPECT_EQ(replay.flights()[loaded].from_column, 4u);
    EXPECT_EQ(replay.provenance().flight_into(3, {2, 1}, end), kNoStep);
}

TEST(RectanglesOf, JoinsRunsAndEqualRows) {
    EXPECT_EQ(rectangles_of({{1, 2}, {0, 1}, {0, 2}, {1, 1}, {0, 1}}),
              (std::vector<CellRect>{{0, 1, 2, 3}}));
    EXPECT_EQ(rectangles_of({{0, 0}, {0, 2}, {2, 0}}),
              (std::vector<CellRect>{{0, 0, 1, 1}, {0, 2, 1, 3}, {2, 0, 3, 1}}));
    EXPECT_TRUE(rectangles_of({}).empty());
}

std::string sentence_at(Replay& replay, ArrayId array, Operation operation) {
    for (const Step& step : replay.schedule().steps) {
        const Site& site = replay.trace().sites[step.site];
        if (site.array != array || site.operation != operation) continue;
        replay.seek(step.begin);
        return plain_text(replay.sentence());
    }
    return {};
}

TEST(WideSentence, SaysWhichLanesAreServedTogether) {
    const Trace trace = recorded({"18_warp_tiled", {128, 128, 16, 128, 0}, 8});
    Replay replay = Replay::of_block(trace, 0).value();
    EXPECT_NE(sentence_at(replay, 4, Operation::kStore)
                  .find("32 lanes write 16 bytes each, four quarter-warps, one wavefront each, no "
                        "conflict."),
              std::string::npos)
        << sentence_at(replay, 4, Operation::kStore);
    EXPECT_NE(sentence_at(replay, 4, Operation::kLoad)
                  .find("neighbours share addresses, so two half-warps, one wavefront each"),
              std::string::npos)
        << sentence_at(replay, 4, Operation::kLoad);
}

}  // namespace
}  // namespace tilereel::lane_work_test
