// Which cells of shared memory are valid and which are stale, against the kernels' own arithmetic
// and against the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "app/ladder/ladder.h"
#include "app/replay/replay.h"
#include "tests/replay/hand_trace.h"

namespace tilereel::replayed_cells_test {
namespace {

Trace record(const char* kernel, const KernelParameters& parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return trace ? std::move(trace).value() : Trace{};
}

// The expected state of a cell; nullopt for a cell that is not compared.
using Theory = std::function<std::optional<CellState>(const ReplayState&, std::uint32_t row,
                                                      std::uint32_t column)>;

void expect_cells(Replay& replay, std::size_t array, const Theory& theory) {
    const auto compare = [&](Tick tick) {
        const ReplayState& state = replay.seek(tick);
        const SharedArrayState& shared = state.shared.at(array);
        const Array& shape = replay.trace().arrays[shared.array];
        for (std::uint32_t row = 0; row < shape.rows; ++row)
            for (std::uint32_t column = 0; column < shape.columns; ++column) {
                const auto expected = theory(state, row, column);
                if (!expected) continue;
                ASSERT_EQ(shared.cells[row * shape.leading_dimension + column].state, *expected)
                    << "tick " << tick << " row " << row << " column " << column;
            }
    };
    for (Tick tick = 0; tick <= replay.schedule().ticks; ++tick)
        ASSERT_NO_FATAL_FAILURE(compare(tick));
    for (Tick tick = replay.schedule().ticks + 1; tick-- > 0;)
        ASSERT_NO_FATAL_FAILURE(compare(tick));
}

// For each element of a shared array, the ticks at which the steps that store it end.
class Landings {
  public:
    Landings(const Replay& replay, ArrayId array) {
        const Trace& trace = replay.trace();
        const Array& shape = trace.arrays[array];
        for (const Step& step : replay.schedule().steps) {
            const Site& site = trace.sites[step.site];
            if (site.array != array || site.operation != Operation::kStore) continue;
            const LaneOffsets lanes = lane_offsets(trace, step.record);
            for (int lane = 0; lane < kWarpSize; ++lane)
                if ((lanes.mask >> lane & 1) != 0)
                    ends_[(lanes.bytes[lane] - shape.base_bytes) / 4].push_back(step.end());
        }
        row_length_ = shape.leading_dimension;
    }
    // Stores of a cell that have ended at a tick.
    [[nodiscard]] std::size_t count(std::uint32_t row, std::uint32_t column, Tick tick) const {
        const auto found = ends_.find(row * row_length_ + column);
        return found == ends_.end() ? 0
                                    : static_cast<std::size_t>(std::ranges::count_if(
                                          found->second, [&](Tick end) { return end <= tick; }));
    }

  private:
    std::map<std::uint32_t, std::vector<Tick>> ends_;
    std::uint32_t row_length_ = 1;
};

// 09, 10 and 12 load a tile, use it in that phase and load the next one over it: between the
// barrier that ends a phase and the store that overwrites it, a cell is stale.
TEST(Cells, OfATileThatIsOverwrittenEveryPhase) {
    const std::vector<std::pair<const char*, KernelParameters>> cases = {
        {"09_tiled", {16, 16, 16, 4, 0}},
        {"09_tiled", {16, 16, 32, 8, 1}},
        {"10_tiled_any_size", {3, 3, 3, 2, 0}},
        {"10_tiled_any_size", {7, 5, 9, 4, 0}},
        {"12_outer_product", {16, 64, 48, 16, 0}}};
    for (const auto& [kernel, parameters] : cases) {
        SCOPED_TRACE(kernel);
        const Trace trace = record(kernel, parameters);
        Replay replay = Replay::of_block(trace, trace.launch.blocks() - 1).value();
        for (std::size_t array = 0; array < replay.state().shared.size(); ++array) {
            const Landings landings(replay, replay.state().shared[array].array);
            expect_cells(replay, array, [&](const ReplayState& state, auto row, auto column) {
                const std::size_t landed = landings.count(row, column, state.tick);
                if (landed == 0) return CellState::kNeverWritten;
                return landed == state.phase + 1 ? CellState::kValid : CellState::kStale;
            });
        }
    }
}

// 04's tile is stored once, and phase k, a trip of the loop over k, reads column k of it: the
// columns still to be read are valid, those that have been are not.
TEST(Cells, Of04AreValidUntilTheirColumnHasBeenRead) {
    const Trace trace = record("04_guide_a_shared", {32, 32, 16, 16, 0});
    Replay replay = Replay::of_block(trace, 1).value();
    ASSERT_EQ(replay.schedule().phases, 16u);
    const Landings landings(replay, 3);
    expect_cells(replay, 0, [&](const ReplayState& state, auto row, auto column) {
        if (landings.count(row, column, state.tick) == 0) return CellState::kNeverWritten;
        return column < state.phase ? CellState::kStale : CellState::kValid;
    });
}

// 14: phase p reads buffer p mod 2, loaded in the phase before (the first one before the loop), and
// loads the next tile into the other one, if there is a next.
TEST(Cells, Of14AreValidInTheBufferThatIsRead) {
    constexpr std::uint32_t kTile = 16, kPhases = 4;
    for (const int pad : {0, 1}) {
        const Trace trace = record("14_outer_product_prefetch", {16, 64, kTile * kPhases, 16, pad});
        Replay replay = Replay::of_block(trace, 0).value();
        ASSERT_EQ(replay.schedule().phases, kPhases);
        const Landings landings(replay, 3);
        std::size_t stale = 0;
        expect_cells(replay, 0, [&](const ReplayState& state, auto row, auto column) {
            const std::uint32_t buffer = row / kTile;
            const std::size_t landed = landings.count(row, column, state.tick);
            if (landed == 0) return CellState::kNeverWritten;
            // The tile that this buffer holds after `landed` stores: buffer, buffer + 2, ...
            const std::size_t tile = buffer + 2 * (landed - 1);
            if (tile < state.phase) ++stale;
            return tile < state.phase ? CellState::kStale : CellState::kValid;
        });
        EXPECT_GT(stale, 0u);
        std::set<BufferState> stages;
        for (Tick tick = 0; tick <= replay.schedule().ticks; ++tick) {
            const ReplayState& state = replay.seek(tick);
            if (state.step == kNoStep || state.part == Part::kStore) continue;
            const SharedArrayState& shared = state.shared[0];
            ASSERT_EQ(shared.planes.size(), 2u);
            const std::uint32_t epoch = replay.schedule().steps[state.step].epoch;
            for (std::uint32_t buffer = 0; buffer < 2; ++buffer) {
                const SharedPlaneState& plane = shared.planes[buffer];
                using enum BufferState;
                const bool read = epoch > 0 && (epoch - 1) % 2 == buffer;
                const bool filled = epoch < kPhases && epoch % 2 == buffer;
                const bool rests = plane.state == kAllRead;  // before it is filled, after the last
                if (read) {
                    EXPECT_TRUE(rests || plane.state == kFilled || plane.state == kBeingRead)
                        << tick;
                    EXPECT_EQ(plane.phase, epoch - 1) << tick;
                } else if (filled) {
                    EXPECT_TRUE(rests || plane.state == kBeingFilled || plane.state == kFilled ||
                                (plane.state == kEmpty && epoch < 2))
                        << tick;
                } else {
                    EXPECT_TRUE(rests || (plane.state == kEmpty && epoch == 0)) << tick;
                }
                stages.insert(plane.state);
                const bool first = state.phase == 0 && buffer == 0;
                const bool next = state.phase + 1 < kPhases && (state.phase + 1) % 2 == buffer;
                EXPECT_EQ(plane.expected, first || next ? 256u : 0u) << tick;
            }
        }
        EXPECT_EQ(stages.size(), 5u);  // all but kUnderWay
    }
}

// What phase p of 14 computes with is tile p of A, though it loads tile p + 1.
TEST(Regions, Of14AreTheTileInUseAndThePrefetchedOne) {
    constexpr std::uint32_t kTile = 16, kPhases = 3;
    const Trace trace = record("14_outer_product_prefetch", {32, 64, kTile * kPhases, 16, 0});
    const Replay replay = Replay::of_block(trace, 1).value();
    for (std::uint32_t phase = 0; phase < kPhases; ++phase) {
        const std::uint32_t k = phase * kTile;
        EXPECT_EQ(replay.regions().tile(0, phase), (CellRect{16, k, 32, k + kTile}));
        EXPECT_EQ(replay.regions().tile(1, phase), (CellRect{k, 0, k + kTile, 64}));
        const bool last = phase + 1 == kPhases;
        EXPECT_EQ(replay.regions().prefetched(0, phase),
                  last ? CellRect{} : (CellRect{16, k + kTile, 32, k + 2 * kTile}));
        EXPECT_TRUE(replay.regions().prefetched(1, phase).empty());
    }
}

TEST(Regions, Of09AreTheTileThatIsLoaded) {
    const Trace trace = record("09_tiled", {16, 16, 16, 4, 0});
    const Replay replay = Replay::of_block(trace, 6).value();  // block (2, 1)
    for (std::uint32_t phase = 0; phase < 4; ++phase) {
        EXPECT_EQ(replay.regions().tile(0, phase), (CellRect{4, 4 * phase, 8, 4 * phase + 4}));
        EXPECT_EQ(replay.regions().tile(1, phase), (CellRect{4 * phase, 8, 4 * phase + 4, 12}));
        EXPECT_TRUE(replay.regions().prefetched(0, phase).empty());
    }
}

// Two elements of 2 bytes are one word of shared memory, and both are read where the word is.
TEST(Regions, Of22AreTheTileThatIsLoaded) {
    const Trace trace = record("22_mma_ldmatrix", {32, 32, 128, 32, 8});
    const Replay replay = Replay::of_block(trace, 0).value();
    for (std::uint32_t phase = 0; phase < 2; ++phase) {
        const std::uint32_t k = phase * 64;
        EXPECT_EQ(replay.regions().tile(0, phase), (CellRect{0, k, 32, k + 64}));
        EXPECT_EQ(replay.regions().tile(1, phase), (CellRect{k, 0, k + 64, 32}));
        EXPECT_TRUE(replay.regions().prefetched(0, phase).empty());
        EXPECT_TRUE(replay.regions().prefetched(1, phase).empty());
    }
}

// 04 loads A's tile in the first phase; phase k computes with its column k.
TEST(Regions, Of04SlideAlongTheTile) {
    const Trace trace = record("04_guide_a_shared", {16, 16, 8, 8, 0});
    const Replay replay = Replay::of_block(trace, 2).value();  // block (0, 1)
    for (std::uint32_t k = 0; k < 8; ++k) {
        EXPECT_EQ(replay.regions().tile(0, k), (CellRect{8, k, 16, k + 1}));
        EXPECT_EQ(replay.regions().tile(1, k), (CellRect{k, 0, k + 1, 8}));
    }
    EXPECT_EQ(replay.regions().prefetched(0, 0), (CellRect{8, 1, 16, 8}));
    EXPECT_TRUE(replay.regions().prefetched(0, 1).empty());
}

// By the definition, step by step: when was the cell's value last stored, when is it last used
// before the next store, and has a later phase begun by then.
CellState by_definition(const Replay& replay, std::uint32_t byte, std::uint32_t now) {
    const Trace& trace = replay.trace();
    const std::vector<Step>& steps = replay.schedule().steps;
    const auto touches = [&](std::uint32_t index, Operation operation) {
        const Site& site = trace.sites[steps[index].site];
        if (trace.arrays[site.array].space != Space::kShared || site.operation != operation)
            return false;
        const LaneOffsets lanes = lane_offsets(trace, steps[index].record);
        for (int lane = 0; lane < kWarpSize; ++lane)
            if ((lanes.mask >> lane & 1) != 0 && lanes.bytes[lane] <= byte &&
                byte < lanes.bytes[lane] + site.width_bytes)
                return true;
        return false;
    };
    std::optional<std::uint32_t> stored;
    for (std::uint32_t i = 0; i < now; ++i)
        if (touches(i, Operation::kStore)) stored = i;
    if (!stored) return CellState::kNeverWritten;
    std::uint32_t last_use = *stored;
    for (std::uint32_t i = *stored + 1; i < steps.size() && !touches(i, Operation::kStore); ++i)
        if (touches(i, Operation::kLoad)) last_use = i;
    if (last_use >= now) return CellState::kValid;
    for (std::uint32_t i = 0; i <= now && i < steps.size(); ++i)
        if (steps[i].phase > steps[last_use].phase) return CellState::kStale;
    return CellState::kValid;
}

// Any accesses in any order, with barriers or without: also reads before the first store, and
// stores that another warp overwrites too early, as if a barrier was missing.
TEST(Cells, OfRandomTracesFollowTheDefinition) {
    std::mt19937 random(5);
    const auto roll = [&](std::uint32_t sides) {
        return static_cast<std::uint32_t>(random() % sides);
    };
    const std::vector<float> ones(64, 1.0f);
    for (int round = 0; round < 40; ++round) {
        HandTrace hand(8, 32, 8, {}, {96, 1, 1});
        const ArrayId tile = hand.shared_array("As", 4, 7, 8);
        const auto access = [&](std::uint16_t warp) {
            const std::uint32_t width = roll(3) == 0 ? 8 : 4, lanes = 1 + roll(4);
            const bool store = roll(2) == 0;
            const auto values = ones.begin() + (store ? lanes * width / 4 : 0);
            hand.access(0, warp, store ? 2 : 3, tile, store ? Operation::kStore : Operation::kLoad,
                        strided(roll(14) * 8, width, static_cast<int>(lanes)),
                        {ones.begin(), values}, static_cast<std::uint8_t>(width));
        };
        const int barriers = round % 4;
        for (int epoch = 0; epoch <= barriers; ++epoch)
            for (std::uint16_t warp = 0; warp < 3; ++warp) {
                for (std::uint32_t i = roll(5); i-- > 0;) {
                    access(warp);
                    if (roll(2) == 0)
                        hand.multiply_add(0, warp, 3, 0xffffffff, 0,
                                          {ones.begin(), ones.begin() + 32});
                }
                if (epoch < barriers) hand.barrier(0, warp, 4);
            }
        const Trace trace = hand.finish();
        Replay replay = Replay::of_block(trace, 0).value();
        std::vector<ReplayState> states;
        for (std::uint32_t step = 0; step <= replay.schedule().steps.size(); ++step) {
            const Tick tick = step < replay.schedule().steps.size()
                                  ? replay.schedule().steps[step].begin
                                  : replay.schedule().ticks;
            states.push_back(replay.seek(tick));
            for (std::uint32_t cell = 0; cell < 32; ++cell)
                ASSERT_EQ(states.back().shared[0].cells[cell].state,
                          by_definition(replay, 4 * cell, step))
                    << "round " << round << " step " << step << " cell " << cell;
        }
        for (std::size_t step = states.size(); step-- > 0;)
            ASSERT_EQ(replay.seek(states[step].tick), states[step]);
    }
}

TEST(ReplayId, IsItsOwnForEveryReplayAndMovesWithIt) {
    const Trace trace = record("09_tiled", {8, 8, 8, 4, 0});
    Replay one = Replay::of_block(trace, 0).value();
    const Replay other = Replay::of_block(trace, 0).value();
    EXPECT_NE(one.id(), other.id());
    const std::uint64_t id = one.id();
    const Replay moved = std::move(one);
    EXPECT_EQ(moved.id(), id);
}

}  // namespace
}  // namespace tilereel::replayed_cells_test
