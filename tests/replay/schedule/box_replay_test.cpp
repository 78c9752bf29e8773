// Boxes in the replay: they begin, are under way, and land where the first warp waits for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/ladder/ladder.h"
#include "app/replay/places/navigation.h"
#include "app/replay/replay.h"
#include "app/replay/schedule/lane_work.h"
#include "app/replay/state/provenance.h"
#include "instrumentation/trace/check/trace_check.h"
#include "instrumentation/trace/file/trace_file.h"
#include "tests/trace/program_trace_writer.h"

namespace tilereel::box_replay_test {
namespace {

constexpr int kDepth = 8;

Trace champion(int m, int n, int k, int tile) {
    RecordRequest request;
    request.kernel = "20_champion";
    request.parameters = {.m = m, .n = n, .k = k, .tile = tile, .pad = 0};
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return std::move(trace).value();
}

// As an H100 recorded it, with its clocks; see tests/hardware/README.md.
Trace from_an_h100() {
    Result<Trace> trace = read_trace(TILEREEL_SOURCE_DIR "/tests/hardware/gpu_boxes.npz");
    EXPECT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->records.clock.size(), trace->records.size());
    return std::move(trace).value();
}

Operation operation(const Trace& trace, const Step& step) {
    return trace.sites[step.site].operation;
}

std::size_t under_way(const ReplayState& state) {
    std::size_t count = 0;
    for (const SharedArrayState& array : state.shared)
        for (const SharedCell& cell : array.cells) count += cell.state == CellState::kUnderWay;
    return count;
}

TEST(BoxReplay, EveryBoxBeginsOnceAndLandsOnce) {
    const Trace trace = champion(32, 32, 40, 32);
    const Replay replay = Replay::of_block(trace, 0).value();
    std::set<std::uint64_t> begun, landed;
    for (const Step& step : replay.schedule().steps) {
        if (operation(trace, step) == Operation::kCopyLoad) {
            EXPECT_TRUE(begun.insert(step.record + 1).second);
        }
        if (operation(trace, step) == Operation::kCopyStore) {
            EXPECT_TRUE(begun.contains(step.record));
            EXPECT_TRUE(landed.insert(step.record).second);
        }
    }
    // 5 stages of 32 x 8 of A and 8 x 32 of B: 64 pieces of 16 bytes each, 32 pieces a record.
    EXPECT_EQ(begun.size(), 5u * 2 * 2);
    EXPECT_EQ(landed, begun);
    EXPECT_EQ(replay.schedule().phases, 40u / kDepth);
    EXPECT_EQ(replay.flights().size(), 2u * 32 * 40);  // all of A and B, and no zeros
}

// The box has no load, so no step begins it.
TEST(BoxReplay, ABoxWhollyOutsideTheMatrixLands) {
    tests::ProgramTraceWriter writer("outside", "init\ncopy\nwait\nread\n", {}, {32, 1, 1});
    const ArrayId tile =
        writer.array("tile", Space::kShared, ElementType::kFloat32, 4, {{8, 16}, 0});
    constexpr std::uint32_t kOneLane = 1, kBytes = 16;
    const auto zeros = [](std::uint32_t) { return std::vector<std::uint32_t>(kBytes / 4); };
    writer.segment(0, 0, 0);
    writer.plain(tests::site(1, Operation::kInitBarrier), 0, nullptr, kOneLane);
    writer.plain(tests::site(2, Operation::kStartBulkCopy), 0, nullptr, kOneLane);
    writer.access(
        tests::site(2, Operation::kCopyStore, tile, kBytes),
        [](std::uint32_t lane) { return kBytes * lane; }, zeros);
    writer.plain(tests::site(3, Operation::kWaitPhase));
    writer.access(tests::site(4, Operation::kLoad, tile),
                  [](std::uint32_t lane) { return 4 * lane; });
    const Trace trace = writer.finish();
    ASSERT_TRUE(check_trace(trace)) << check_trace(trace).error().message;
    Replay replay = Replay::of_block(trace, 0).value();
    replay.seek(replay.schedule().ticks);
    EXPECT_EQ(under_way(replay.state()), 0u);
}

TEST(BoxReplay, NoThreadReadsACellUnderWay) {
    for (const Trace& trace :
         {champion(20, 37, 43, 16), champion(20, 37, 43, 32), from_an_h100()}) {
        for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
            Replay replay = Replay::of_block(trace, block).value();
            for (const Step& step : replay.schedule().steps) {
                if (operation(trace, step) != Operation::kLoad) continue;
                replay.seek(step.begin);
                const ReplayState& state = replay.state();
                const LaneOffsets lanes = lane_offsets(trace, step.record);
                const Array& array = trace.arrays[trace.sites[step.site].array];
                for (const SharedArrayState& shared : state.shared) {
                    if (shared.array != trace.sites[step.site].array) continue;
                    for (std::uint32_t lane = 0; lane < 32; ++lane)
                        EXPECT_EQ(shared.cells[(lanes.bytes[lane] - array.base_bytes) / 4].state,
                                  CellState::kValid);
                }
            }
            replay.seek(replay.schedule().ticks);
            EXPECT_EQ(under_way(replay.state()), 0u);
        }
    }
}

// 8 warps of 64 x 64, 8 x 16 sums a lane.
TEST(BoxReplay, TheLargeTileHasItsWarpsAndSums) {
    const Trace trace = champion(256, 128, 64, 256);
    Replay replay = Replay::of_block(trace, 0).value();
    EXPECT_EQ(replay.schedule().phases, 2u);
    EXPECT_EQ(replay.regions().c, (CellRect{0, 0, 256, 128}));
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
        const std::uint32_t row = warp / 2 * 64, column = warp % 2 * 64;
        EXPECT_EQ(replay.provenance().cells_of_warp(2, warp, 0),
                  (std::vector<CellRect>{{row, column, row + 64, column + 64}}));
        EXPECT_EQ(replay.provenance().cells_of_warp(0, warp, 1),
                  (std::vector<CellRect>{{row, 32, row + 64, 64}}));
        EXPECT_EQ(replay.provenance().cells_of_warp(1, warp, 1),
                  (std::vector<CellRect>{{32, column, 64, column + 64}}));
    }
    // Warp 3 begins at row 64 and column 64. In it, lane 5 has index lane / 2 % 8 = 2 among the
    // rows and index lane % 2 + lane / 16 * 2 = 1 among groups of 4 columns.
    const LaneWork work = replay.provenance().lane_work(3, 5);
    std::vector<std::uint32_t> rows, columns;
    for (std::uint32_t r = 0; r < 8; ++r) rows.push_back(64 + 2 + 8 * r);
    for (std::uint32_t c = 0; c < 16; ++c) columns.push_back(64 + 4 + c / 4 * 16 + c % 4);
    EXPECT_EQ(work.rows, rows);
    EXPECT_EQ(work.columns, columns);
    replay.seek(replay.schedule().ticks);
    for (std::size_t i = 0; i < replay.state().sums.size(); ++i)
        ASSERT_EQ(replay.state().sums[i].value, matrix_of(trace, MatrixRole::kC)[i]);
}

// Blocks go down 8 tiles, then to the next column: a place in C is found all the same.
TEST(BoxReplay, APlaceInCFindsItsBlock) {
    for (const auto& [m, n, tile] : {std::array{40, 50, 16}, {300, 200, 256}, {200, 20, 16}}) {
        const Trace trace = champion(m, n, 8, tile);
        for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
            const Replay replay = Replay::of_block(trace, block).value();
            EXPECT_EQ(block_at(trace, place_at(replay, 0)), block) << m << ' ' << tile;
        }
    }
}

// Whether several warps were seen to wait for a box at once.
bool expect_the_same_in_both_directions(const Trace& trace) {
    Replay replay = Replay::of_block(trace, 0).value();
    std::vector<std::pair<std::size_t, std::vector<Activity>>> forward;
    bool some_wait = false;
    const auto look = [&] {
        std::vector<Activity> warps;
        for (const WarpState& warp : replay.state().warps) warps.push_back(warp.activity);
        some_wait = some_wait || std::ranges::count(warps, Activity::kWaitsForCopy) > 1;
        return std::pair(under_way(replay.state()), warps);
    };
    for (Tick tick = 0; tick <= replay.schedule().ticks; ++tick) {
        replay.seek(tick);
        forward.push_back(look());
    }
    for (const Activity activity : forward.back().second) EXPECT_EQ(activity, Activity::kDone);
    for (Tick tick = replay.schedule().ticks + 1; tick-- > 0;) {
        replay.seek(tick);
        EXPECT_EQ(look(), forward[tick]);
    }
    return some_wait;
}

TEST(BoxReplay, IsTheSameInBothDirections) {
    EXPECT_TRUE(expect_the_same_in_both_directions(champion(32, 32, 64, 32)));
    expect_the_same_in_both_directions(from_an_h100());
}

TEST(BoxReplay, TheSumsAreThoseOfC) {
    const Trace trace = champion(33, 17, 29, 32);
    for (std::uint32_t block = 0; block < trace.launch.blocks(); ++block) {
        Replay replay = Replay::of_block(trace, block).value();
        replay.seek(replay.schedule().ticks);
        const CellRect rect = replay.regions().c;
        std::size_t i = 0;
        for (std::uint32_t row = rect.row0; row < rect.row1; ++row)
            for (std::uint32_t column = rect.column0; column < rect.column1; ++column, ++i) {
                EXPECT_TRUE(replay.state().sums[i].stored);
                EXPECT_EQ(replay.state().sums[i].value,
                          matrix_of(trace, MatrixRole::kC)[row * 17 + column]);
                EXPECT_EQ(replay.state().sums[i].multiply_adds, 32u);  // K in whole stages of 8
            }
    }
}

}  // namespace
}  // namespace tilereel::box_replay_test
