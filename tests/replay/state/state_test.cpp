// The state at any tick agrees with the kernels' own arithmetic, for any order of seeks.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "app/ladder/ladder.h"
#include "app/replay/replay.h"
#include "tests/replay/kernel_script.h"
#include "tests/trace/matrix_values.h"

namespace tilereel::state_test {
namespace {

struct Case {
    std::string kernel;
    ScriptSize size;
    std::uint32_t block;
};
const std::vector<Case> kCases = {
    {"09", {16, 16, 16, 4, 0}, 6},  {"09", {16, 16, 16, 8, 0}, 1}, {"09", {16, 16, 16, 16, 2}, 0},
    {"08", {32, 32, 32, 32, 1}, 0}, {"08", {16, 16, 16, 8, 1}, 3}, {"02", {16, 16, 16, 8, 0}, 2},
    {"02", {9, 21, 5, 8, 0}, 5},    {"01", {19, 33, 7, 16, 0}, 1},
};

// The state that the script predicts after the requests that were given to end_request().
class Expected {
  public:
    Expected(const Trace& trace, const Script& script) : trace_(trace), script_(script) {}

    void end_request(const ScheduledRequest& request) {
        const ScriptOperation& operation = *request.operation;
        if (operation.does == Does::kSharedStore)
            for (const auto& [lane, cell] : operation.lanes)
                cells_[{operation.array, cell}] = {source(request.warp, operation, lane),
                                                   operation.phase};
        if (operation.does == Does::kGlobalStore)
            for (const auto& [lane, cell] : operation.lanes) stored_.insert(cell);
        const auto& operations = script_.warps[request.warp];
        std::size_t at = static_cast<std::size_t>(&operation - operations.data()) + 1;
        for (; at < operations.size() && operations[at].does == Does::kMultiplyAdd; ++at)
            for (const auto& [lane, cell] : operations[at].lanes) ++products_[cell];
    }

    void compare(const Replay& replay, const ReplayState& state, int phase) const {
        const CellRect rect = replay.regions().c;
        for (std::uint32_t row = rect.row0; row < rect.row1; ++row)
            for (std::uint32_t column = rect.column0; column < rect.column1; ++column) {
                const PartialSum& sum =
                    state.sums[(row - rect.row0) * (rect.column1 - rect.column0) + column -
                               rect.column0];
                const Cell cell{static_cast<int>(row), static_cast<int>(column)};
                const int products = products_.contains(cell) ? products_.at(cell) : 0;
                ASSERT_EQ(sum.multiply_adds, static_cast<std::uint32_t>(products));
                ASSERT_EQ(sum.stored, stored_.contains(cell));
                ASSERT_EQ(sum.value, partial_product(trace_, cell.row, cell.column, products));
            }
        for (const SharedArrayState& array : state.shared) compare_array(array, phase);
    }

  private:
    // The value that the lane loaded just before: the operation before a store is its load.
    [[nodiscard]] float source(int warp, const ScriptOperation& store, int lane) const {
        const auto& operations = script_.warps[warp];
        const ScriptOperation& load = operations[&store - operations.data() - 1];
        const Cell cell = load.lanes.at(lane);
        return load.array == "A"
                   ? matrix_of(trace_, MatrixRole::kA)[cell.row * trace_.launch.k + cell.column]
                   : matrix_of(trace_, MatrixRole::kB)[cell.row * trace_.launch.n + cell.column];
    }

    void compare_array(const SharedArrayState& state, int phase) const {
        const Array& array = trace_.arrays[state.array];
        std::uint32_t landed = 0;
        for (std::uint32_t cell = 0; cell < state.cells.size(); ++cell) {
            const Cell at{static_cast<int>(cell / array.leading_dimension),
                          static_cast<int>(cell % array.leading_dimension)};
            const auto written = cells_.find({array.name, at});
            if (written == cells_.end()) {
                ASSERT_EQ(state.cells[cell].state, CellState::kNeverWritten);
                continue;
            }
            const bool valid = written->second.second == phase;
            landed += valid;
            ASSERT_EQ(state.cells[cell].state, valid ? CellState::kValid : CellState::kStale);
            ASSERT_EQ(state.cells[cell].value, written->second.first);
        }
        ASSERT_EQ(state.landed, landed);
        ASSERT_EQ(state.expected, array.rows * array.columns);
    }

    const Trace& trace_;
    const Script& script_;
    std::map<std::pair<std::string, Cell>, std::pair<float, int>> cells_;  // value, phase
    std::map<Cell, int> products_;
    std::set<Cell> stored_;
};

Script script_for(const Case& test) {
    const Dim3 grid = grid_of(test.kernel, test.size);
    return script_of(test.kernel, test.size, static_cast<int>(test.block % grid.x),
                     static_cast<int>(test.block / grid.x));
}

TEST(State, CellsAndSumsAtEveryTick) {
    for (const Case& test : kCases) {
        SCOPED_TRACE(test.kernel + " tile " + std::to_string(test.size.tile));
        const Trace trace = trace_of(test.kernel, test.size);
        const Script script = script_for(test);
        const std::vector<ScheduledRequest> schedule = schedule_of(script);
        Result<Replay> replay = Replay::of_block(trace, test.block);
        Expected expected(trace, script);
        for (const ScheduledRequest& request : schedule) {
            for (std::size_t tick = request.begin; tick < request.begin + request.ticks; ++tick) {
                replay->seek(tick);
                ASSERT_EQ(replay->state().request.wavefront, tick - request.begin);
                ASSERT_NO_FATAL_FAILURE(
                    expected.compare(*replay, replay->state(), request.operation->phase))
                    << "tick " << tick;
            }
            expected.end_request(request);
        }
        const ReplayState& end = replay->seek(replay->schedule().ticks);
        EXPECT_EQ(end.step, kNoStep);
        ASSERT_NO_FATAL_FAILURE(expected.compare(*replay, end, schedule.back().operation->phase));
        for (const WarpState& warp : end.warps) EXPECT_EQ(warp.activity, Activity::kDone);
    }
}

Activity running(const ScriptOperation& operation) {
    switch (operation.does) {
        case Does::kGlobalStore:
            return Activity::kStores;
        case Does::kSharedLoad:
            return Activity::kComputes;
        default:
            return Activity::kLoads;
    }
}

TEST(State, WarpsAtEveryStep) {
    for (const Case& test : kCases) {
        SCOPED_TRACE(test.kernel + " tile " + std::to_string(test.size.tile));
        const Trace trace = trace_of(test.kernel, test.size);
        const Script script = script_for(test);
        const std::vector<ScheduledRequest> schedule = schedule_of(script);
        std::vector<std::size_t> left(script.warps.size(), 0);
        for (const ScheduledRequest& request : schedule) ++left[request.warp];
        std::vector<int> last_epoch(script.warps.size(), -1);
        Result<Replay> replay = Replay::of_block(trace, test.block);
        for (const ScheduledRequest& request : schedule) {
            const ReplayState& state = replay->seek(request.begin);
            ASSERT_EQ(state.at_barrier, !request.waiting.empty());
            ASSERT_EQ(state.warps.size(), script.warps.size());
            last_epoch[request.warp] = request.epoch;
            --left[request.warp];
            for (int warp = 0; warp < static_cast<int>(state.warps.size()); ++warp) {
                const Activity activity = state.warps[warp].activity;
                const bool waits = std::ranges::count(request.waiting, warp) > 0;
                ASSERT_EQ(activity == Activity::kWaitsAtBarrier, waits) << "tick " << request.begin;
                if (warp == request.warp) {
                    ASSERT_EQ(activity, running(*request.operation));
                }
                if (warp == request.warp || waits) continue;
                ASSERT_EQ(activity == Activity::kDone, left[warp] == 0);
                ASSERT_EQ(activity == Activity::kReady,
                          left[warp] > 0 && last_epoch[warp] != request.epoch);
            }
        }
    }
}

TEST(State, LanesOfTheRequestInFlight) {
    for (const Case& test : kCases) {
        const Trace trace = trace_of(test.kernel, test.size);
        const Script script = script_for(test);
        Result<Replay> replay = Replay::of_block(trace, test.block);
        for (const ScheduledRequest& scheduled : schedule_of(script)) {
            const RequestState& request = replay->seek(scheduled.begin).request;
            const ScriptOperation& operation = *scheduled.operation;
            const BruteCost cost = brute_cost(script, operation);
            for (int lane = 0; lane < kWarpSize; ++lane) {
                const LaneState& shown = request.lanes[lane];
                ASSERT_EQ(shown.active, operation.lanes.contains(lane));
                if (!shown.active) continue;
                const Cell cell = operation.lanes.at(lane);
                const int word = word_of(script, operation.array, cell);
                ASSERT_EQ(shown.row, static_cast<std::uint32_t>(cell.row));
                ASSERT_EQ(shown.column, static_cast<std::uint32_t>(cell.column));
                ASSERT_EQ(shown.offset_bytes, static_cast<std::uint32_t>(4 * word));
                const std::uint32_t at = shown.row * trace.launch.k + shown.column;
                if (operation.array == "A") {
                    ASSERT_EQ(shown.value, matrix_of(trace, MatrixRole::kA)[at]);
                }
                if (operation.array == "A" || operation.array == "B" || operation.array == "C") {
                    ASSERT_EQ(shown.sector, static_cast<std::uint32_t>(word / 8));
                    continue;
                }
                ASSERT_EQ(shown.bank, static_cast<std::uint32_t>(word % 32));
                ASSERT_LT(shown.wavefront, static_cast<std::uint32_t>(cost.wavefronts));
                // As[ty][k] is A[row][k0 + k], whatever the kernel did in between.
                if (operation.does == Does::kSharedLoad && operation.array == "As") {
                    ASSERT_EQ(
                        shown.value,
                        matrix_of(trace,
                                  MatrixRole::kA)[(script.block_y * test.size.tile + cell.row) *
                                                      test.size.k +
                                                  operation.phase * test.size.tile + cell.column]);
                }
            }
        }
    }
}

TEST(State, PhasesDoneFollowTheMultiplyAdds) {
    const Trace trace = trace_of("09", {16, 16, 16, 8, 0});
    Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(replay->seek(43).phases_done, 0u);  // warp 1 still reads its last operand
    EXPECT_EQ(replay->seek(44).phases_done, 1u);
    EXPECT_EQ(replay->seek(87).phases_done, 1u);
    EXPECT_EQ(replay->seek(88).phases_done, 2u);
    for (const PartialSum& sum : replay->seek(44).sums) EXPECT_EQ(sum.multiply_adds, 8u);
}

TEST(State, OfARecordedTraceIsThatOfTheScript) {
    const std::map<std::string, std::string> ids = {{"01", "01_naive_by_column"},
                                                    {"02", "02_naive"},
                                                    {"08", "08_tiled_b_transposed"},
                                                    {"09", "09_tiled"}};
    for (const Case& test : kCases) {
        SCOPED_TRACE(test.kernel + " tile " + std::to_string(test.size.tile));
        const Trace written = trace_of(test.kernel, test.size);
        RecordRequest request;
        request.kernel = ids.at(test.kernel);
        request.parameters = {test.size.m, test.size.n, test.size.k, test.size.tile, test.size.pad};
        request.inputs = {values_of(written, MatrixRole::kA), values_of(written, MatrixRole::kB)};
        const Result<Trace> recorded = record_built_in(request);
        ASSERT_TRUE(recorded.has_value()) << recorded.error().message;
        Result<Replay> left = Replay::of_block(written, test.block);
        Result<Replay> right = Replay::of_block(*recorded, test.block);
        ASSERT_EQ(left->schedule().ticks, right->schedule().ticks);
        for (Tick tick = 0; tick <= left->schedule().ticks; ++tick) {
            ReplayState expected = left->seek(tick), got = right->seek(tick);
            for (ReplayState* state : {&expected, &got})
                for (WarpState& warp : state->warps) warp.line = 0;  // the script has no source
            ASSERT_TRUE(expected == got) << "tick " << tick;
        }
    }
}

TEST(State, IsTheSameHoweverItIsReached) {
    for (const Case& test : kCases) {
        SCOPED_TRACE(test.kernel + " tile " + std::to_string(test.size.tile));
        const Trace trace = trace_of(test.kernel, test.size);
        Result<Replay> forward = Replay::of_block(trace, test.block);
        std::mt19937 random(7);
        std::map<Tick, std::pair<ReplayState, std::string>> known;
        const Tick stride = std::max<Tick>(forward->schedule().ticks / 150, 1);
        for (Tick tick = 0; tick <= forward->schedule().ticks; ++tick) {
            forward->seek(tick);  // every tick in turn, so that the path differs from a jump
            if (tick % stride == 0)
                known[tick] = {forward->state(), plain_text(forward->sentence())};
        }
        Result<Replay> walker = Replay::of_block(trace, test.block);
        for (int move = 0; move < 400; ++move) {
            if (move % 3 == 0) walker->seek(random() % (walker->schedule().ticks + 1));
            const auto at = std::next(known.begin(), static_cast<long>(random() % known.size()));
            ASSERT_TRUE(walker->seek(at->first) == at->second.first) << "tick " << at->first;
            ASSERT_EQ(plain_text(walker->sentence()), at->second.second);
        }
    }
}

TEST(State, ASeekBeyondTheEndIsTheEnd) {
    const Trace trace = trace_of("09", {16, 16, 16, 8, 0});
    Result<Replay> replay = Replay::of_block(trace, 0);
    EXPECT_EQ(replay->seek(1'000'000).tick, replay->schedule().ticks);
}

}  // namespace
}  // namespace tilereel::state_test
