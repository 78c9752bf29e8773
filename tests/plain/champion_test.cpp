// 20 champion in plain CUDA (tensor maps, cuda::ptx), recorded by the plain build, against the
// dialect's, recorded by the emulator.
#include <gtest/gtest.h>

#include <array>

#include "instrumentation/analysis/hazards.h"
#include "instrumentation/plain/ladder.h"
#include "instrumentation/record/record.h"
#include "tests/plain/same_trace.h"

namespace tilereel::plain {
namespace {

// A barrier has 8 bytes, and a stage two of them. In the dialect they lie nowhere.
std::uint32_t barrier_bytes(int tile) { return (tile == 256 ? 4 : 3) * 16; }

// Where rows do not begin at multiples of 16 bytes, the plain kernel's launch copies the matrix to
// such rows first, as it must on a GPU: the engine then brings more pieces of 16 bytes, and fewer
// of 4. The emulator's engine reads the matrix as it is. Boxes are compared as wholes then.
void compare(int tile, int m, int n, int k) {
    SCOPED_TRACE("TILE " + std::to_string(tile) + ", " + std::to_string(m) + " x " +
                 std::to_string(n) + " x " + std::to_string(k));
    RecordRequest request;
    request.kernel = "20_champion";
    request.parameters = {.m = m, .n = n, .k = k, .tile = tile};
    const Result<Trace> ours = record_built_in(request);
    const Result<Trace> theirs = record_with_emulator(request);
    ASSERT_TRUE(ours) << ours.error().message;
    ASSERT_TRUE(theirs) << theirs.error().message;
    EXPECT_EQ(ours->wrong_elements, 0u);
    EXPECT_TRUE(find_hazards(*ours).empty());
    EXPECT_EQ(ours->launch.shared_bytes, theirs->launch.shared_bytes + barrier_bytes(tile));
    expect_same_launch(*ours, *theirs);
    const bool copied = n % 4 != 0 || k % 4 != 0;
    if (!copied) expect_same_pitches(*ours, *theirs);
    std::vector<Event> mine = copied ? with_whole_boxes(*ours) : events_of(*ours);
    std::vector<Event> expected = copied ? with_whole_boxes(*theirs) : events_of(*theirs);
    if (ours->accumulator_interval != 1 || theirs->accumulator_interval != 1) {
        leave_out_sums(mine);
        leave_out_sums(expected);
    }
    const int columns = tile == 256 ? 128 : tile;
    if (m % tile != 0 || n % columns != 0) {
        constexpr ArrayId kC = 2;
        mine = with_stores_by_lane(mine, kC);
        expected = with_stores_by_lane(expected, kC);
    }
    expect_same_events(mine, expected);
}

TEST(Champion, PlainRecordsWhatTheEmulatorDoes) {
    compare(16, 32, 48, 72);  // more stages than lie in shared memory
    compare(16, 40, 33, 21);  // edges
    compare(16, 5, 3, 1);     // smaller than a tile, one k
    compare(16, 7, 36, 20);   // edges in rows that begin at 16 bytes
}

TEST(Champion, PlainRecordsItsLargeTileAsTheEmulatorDoes) { compare(256, 250, 120, 132); }

// On request: ctest -C all -L oracle-all
TEST(Champion, DISABLED_EveryTile) {
    for (const int tile : {16, 32, 256})
        for (const auto& [m, n, k] : {std::array{2 * tile, 3 * tile, 104}, std::array{1, 1, 1},
                                      std::array{tile + 1, tile - 1, 67}, std::array{3, tile, 32},
                                      std::array{300, 12, 5}, std::array{17, 400, 8}})
            compare(tile, m, n, k);
}

}  // namespace
}  // namespace tilereel::plain
