// What some kernels of the ladder are to show, step by step in the replay. Expected values follow
// from the kernels' index arithmetic.
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "app/ladder/ladder.h"
#include "app/replay/replay.h"

namespace tilereel::rung_lesson_steps_test {
namespace {

Trace recorded(std::string_view kernel, const KernelParameters& p) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = p;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return std::move(trace).value();
}

float sum_of(const Trace& trace, std::uint32_t row, std::uint32_t column, std::uint32_t products) {
    float sum = 0;
    for (std::uint32_t k = 0; k < products; ++k)
        sum += matrix_of(trace, MatrixRole::kA)[row * trace.launch.k + k] *
               matrix_of(trace, MatrixRole::kB)[k * trace.launch.n + column];
    return sum;
}

// One request as the index arithmetic says it is: by lane, the element and its value.
struct Expected {
    std::string array;
    Operation operation;
    struct Lane {
        std::uint32_t row, column;
        float value;
    };
    std::map<std::uint32_t, Lane> lanes;
};

// "Memory Coalescing and Tiled Matrix Multiplication", "General Matrix Multiplication (Tiled)": the
// 3 x 3 product in 2 x 2 tiles, block (block_x, block_y).
std::vector<Expected> three_by_three(const Trace& trace, std::uint32_t block_x,
                                     std::uint32_t block_y) {
    constexpr std::uint32_t kSize = 3, kTile = 2;
    std::vector<Expected> steps;
    const auto add = [&](const char* array, Operation operation, auto&& lane_of) {
        Expected step{array, operation, {}};
        for (std::uint32_t lane = 0; lane < 4; ++lane)
            if (const std::optional<Expected::Lane> is = lane_of(lane % 2, lane / 2))
                step.lanes[lane] = *is;
        if (!step.lanes.empty()) steps.push_back(step);  // no lane inside: no request
    };
    using Lane = std::optional<Expected::Lane>;
    const auto a = [&](std::uint32_t row, std::uint32_t k) {
        return row < kSize && k < kSize ? matrix_of(trace, MatrixRole::kA)[row * kSize + k] : 0.0f;
    };
    const auto b = [&](std::uint32_t k, std::uint32_t column) {
        return k < kSize && column < kSize ? matrix_of(trace, MatrixRole::kB)[k * kSize + column]
                                           : 0.0f;
    };
    const std::uint32_t row0 = block_y * kTile, column0 = block_x * kTile;
    for (std::uint32_t k0 = 0; k0 < kSize; k0 += kTile) {
        add("A", Operation::kLoad, [&](std::uint32_t x, std::uint32_t y) -> Lane {
            if (row0 + y >= kSize || k0 + x >= kSize) return {};
            return {{row0 + y, k0 + x, a(row0 + y, k0 + x)}};
        });
        add("B", Operation::kLoad, [&](std::uint32_t x, std::uint32_t y) -> Lane {
            if (k0 + y >= kSize || column0 + x >= kSize) return {};
            return {{k0 + y, column0 + x, b(k0 + y, column0 + x)}};
        });
        add("As", Operation::kStore, [&](std::uint32_t x, std::uint32_t y) -> Lane {
            return {{y, x, a(row0 + y, k0 + x)}};  // 0 outside
        });
        add("Bs", Operation::kStore, [&](std::uint32_t x, std::uint32_t y) -> Lane {
            return {{y, x, b(k0 + y, column0 + x)}};
        });
        for (std::uint32_t k = 0; k < kTile; ++k) {
            add("As", Operation::kLoad, [&](std::uint32_t, std::uint32_t y) -> Lane {
                return {{y, k, a(row0 + y, k0 + k)}};
            });
            add("Bs", Operation::kLoad, [&](std::uint32_t x, std::uint32_t) -> Lane {
                return {{k, x, b(k0 + k, column0 + x)}};
            });
        }
    }
    add("C", Operation::kStore, [&](std::uint32_t x, std::uint32_t y) -> Lane {
        if (row0 + y >= kSize || column0 + x >= kSize) return {};
        return {{row0 + y, column0 + x, sum_of(trace, row0 + y, column0 + x, kSize)}};
    });
    return steps;
}

TEST(RungReplay, ThreeByThreeInTilesOfTwoStepByStep) {
    const Trace trace = recorded("10_tiled_any_size", {.m = 3, .n = 3, .k = 3, .tile = 2});
    for (std::uint32_t block = 0; block < 4; ++block) {
        SCOPED_TRACE(::testing::Message() << "block " << block);
        Replay replay = Replay::of_block(trace, block).value();
        const std::vector<Expected> expected = three_by_three(trace, block % 2, block / 2);
        ASSERT_EQ(replay.schedule().steps.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            SCOPED_TRACE(::testing::Message() << "step " << i);
            const Site& site = trace.sites[replay.schedule().steps[i].site];
            ASSERT_EQ(trace.arrays[site.array].name, expected[i].array);
            ASSERT_EQ(site.operation, expected[i].operation);
            const ReplayState& state = replay.seek(replay.schedule().steps[i].begin);
            for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
                const LaneState& shown = state.request.lanes[lane];
                const auto is = expected[i].lanes.find(lane);
                ASSERT_EQ(shown.active, is != expected[i].lanes.end()) << "lane " << lane;
                if (!shown.active) continue;
                EXPECT_EQ(shown.row, is->second.row);
                EXPECT_EQ(shown.column, is->second.column);
                EXPECT_EQ(shown.value, is->second.value);
            }
        }
    }
}

// The corner block has one thread inside C; three of four cells of its last tiles hold the zeros
// that were stored, not loaded.
TEST(RungReplay, ThreeByThreeFillsTheEdgeWithZeros) {
    const Trace trace = recorded("10_tiled_any_size", {.m = 3, .n = 3, .k = 3, .tile = 2});
    Replay replay = Replay::of_block(trace, 3).value();
    ASSERT_EQ(replay.schedule().barriers.size(), 4u);
    const ReplayState& state =
        replay.seek(replay.schedule().barriers[2].at);  // the last tiles are written
    for (const SharedArrayState& array : state.shared) {
        const float corner =
            matrix_of(trace, array.array == 3 ? MatrixRole::kA : MatrixRole::kB)[8];
        ASSERT_EQ(array.cells.size(), 4u);
        for (std::size_t cell = 0; cell < 4; ++cell) {
            EXPECT_EQ(array.cells[cell].state, CellState::kValid);
            EXPECT_EQ(array.cells[cell].value, cell == 0 ? corner : 0.0f);
        }
    }
    std::size_t of_last_tiles = 0;  // flights: only what was loaded flies
    for (const Flight& flight : replay.flights())
        of_last_tiles += flight.depart >= replay.schedule().barriers[1].at;
    EXPECT_EQ(of_last_tiles, 2u);
    const CellRect inside{2, 2, 3, 3};
    EXPECT_EQ(replay.regions().c, inside);
    EXPECT_EQ(replay.seek(replay.schedule().ticks).sums.front().value, sum_of(trace, 2, 2, 3));
}

// Of a phase: when the block begins to load the phase's tile of A, when the whole tile is in shared
// memory, and when the block last reads shared memory. Multiply-adds take effect with the reads
// before them.
struct PhaseTimes {
    Tick first_load = ~Tick{0}, last_landed = 0, last_read = 0;
};
std::vector<PhaseTimes> times_of(const Trace& trace, const Replay& replay) {
    std::vector<PhaseTimes> times(replay.schedule().phases);
    for (const Flight& flight : replay.flights()) {
        EXPECT_EQ(trace.arrays[flight.from].name, "A");
        PhaseTimes& tile = times[flight.from_column / 16];
        tile.first_load = std::min(tile.first_load, flight.depart);
        tile.last_landed = std::max(tile.last_landed, flight.land);
    }
    for (const Step& step : replay.schedule().steps) {
        const Site& site = trace.sites[step.site];
        if (site.operation == Operation::kLoad && trace.arrays[site.array].space == Space::kShared)
            times[step.phase].last_read = std::max(times[step.phase].last_read, step.begin);
    }
    return times;
}

TEST(RungReplay, PrefetchLoadsTheNextTileDuringThisOnesCompute) {
    const KernelParameters p{.m = 16, .n = 64, .k = 80, .tile = 16, .pad = 0};
    const Trace prefetched = recorded("14_outer_product_prefetch", p);
    Replay replay = Replay::of_block(prefetched, 0).value();
    const std::vector<PhaseTimes> times = times_of(prefetched, replay);
    ASSERT_EQ(times.size(), 5u);
    ASSERT_EQ(replay.schedule().barriers.size(), 5u + 1);  // one a phase, and one before the first
    for (std::size_t phase = 0; phase + 1 < times.size(); ++phase) {
        EXPECT_LT(times[phase + 1].first_load, times[phase].last_read);
        EXPECT_LE(times[phase + 1].last_landed, replay.schedule().barriers[phase + 1].at);
        EXPECT_GE(times[phase + 1].first_load, replay.schedule().barriers[phase].at);
        // The tile that is multiplied was there at the barrier before.
        EXPECT_LE(times[phase].last_landed, replay.schedule().barriers[phase].at);
    }
    const Trace plain = recorded("12_outer_product", p);
    Replay waits = Replay::of_block(plain, 0).value();
    const std::vector<PhaseTimes> in_turn = times_of(plain, waits);
    ASSERT_EQ(waits.schedule().barriers.size(), 2u * 5);
    for (std::size_t phase = 0; phase + 1 < in_turn.size(); ++phase)
        EXPECT_GT(in_turn[phase + 1].first_load, in_turn[phase].last_read);
}

// A thread that computes one element after another: each sum grows to K products before the next
// begins.
TEST(RungReplay, CpuNaiveFinishesElementByElement) {
    const Trace trace = recorded("cpu_naive", {.m = 3, .n = 5, .k = 4});
    Replay replay = Replay::of_block(trace, 0).value();
    for (Tick tick = 0; tick <= replay.schedule().ticks; ++tick) {
        const ReplayState& state = replay.seek(tick);
        ASSERT_EQ(state.sums.size(), 15u);
        bool former_finished = true;  // the element before has all its products
        for (std::uint32_t i = 0; i < 15; ++i) {
            const PartialSum& sum = state.sums[i];
            ASSERT_EQ(sum.value, sum_of(trace, i / 5, i % 5, sum.multiply_adds)) << tick;
            ASSERT_TRUE(former_finished || sum.multiply_adds == 0) << tick;
            former_finished = sum.multiply_adds == 4;
        }
    }
}

// C holds the products of the tiles done so far, stored once a tile along K.
TEST(RungReplay, CpuTiledGrowsCByATileAtATime) {
    constexpr std::uint32_t kTile = 4, kK = 10;
    const Trace trace = recorded("cpu_tiled", {.m = 7, .n = 9, .k = kK, .tile = kTile});
    for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
        Replay replay = Replay::of_block(trace, block).value();
        const CellRect c = replay.regions().c;
        const std::uint32_t columns = c.column1 - c.column0;
        for (const Step& step : replay.schedule().steps) {
            const Site& site = trace.sites[step.site];
            const bool stores_c = site.array == 2 && site.operation == Operation::kStore;
            const LaneState lane = replay.seek(step.begin).request.lanes[0];
            const ReplayState& state = replay.seek(step.end());
            for (std::uint32_t i = 0; i < state.sums.size(); ++i)
                ASSERT_EQ(state.sums[i].value,
                          sum_of(trace, c.row0 + i / columns, c.column0 + i % columns,
                                 state.sums[i].multiply_adds));
            if (!stores_c) continue;
            const std::uint32_t at = (lane.row - c.row0) * columns + lane.column - c.column0;
            const std::uint32_t done = state.sums[at].multiply_adds;
            ASSERT_TRUE(done > 0 && (done % kTile == 0 || done == kK)) << done;
        }
    }
}

// Only B fills the tile, even if elements of A and C with the same values were read meanwhile.
TEST(RungReplay, CpuTiledFliesBOnly) {
    const Trace trace = recorded("cpu_tiled", {.m = 9, .n = 10, .k = 11, .tile = 4});
    for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
        Replay replay = Replay::of_block(trace, block).value();
        for (const Flight& flight : replay.flights()) {
            ASSERT_EQ(trace.arrays[flight.from].name, "B");
            ASSERT_EQ(flight.store_step, flight.load_step + 1);  // copied at once
            ASSERT_EQ(flight.from_row % 4, flight.to_row);
            ASSERT_EQ(flight.from_column % 4, flight.to_column);
        }
    }
}

}  // namespace
}  // namespace tilereel::rung_lesson_steps_test
