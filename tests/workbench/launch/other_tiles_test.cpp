// TILE and PAD that are not built in, in the window's model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workbench/bench.h"

namespace tilereel::other_tiles_test {
namespace {

using testing::HasSubstr;

Command with_tile(const Workbench& bench, int tile, int pad) {
    KernelParameters parameters = bench.request().parameters;
    parameters.tile = tile;
    parameters.pad = pad;
    return Command{SetParameters{parameters}};
}

TEST(OtherTiles, AreCompiledAndShownAsTheSameKernel) {
    Workbench bench(paused(request("09_tiled", 26, 2), true));
    ASSERT_TRUE(wait_until_recorded(bench));
    bench.apply(with_tile(bench, 13, 3));
    ASSERT_TRUE(wait_until_recorded(bench));
    EXPECT_EQ(bench.message(), "");
    const Trace& trace = *bench.recording()->trace;
    EXPECT_EQ(trace.launch.kernel, "09_tiled");
    EXPECT_EQ(trace.launch.tile, 13u);
    EXPECT_EQ(trace.launch.pad, 3u);
    EXPECT_FALSE(bench.shows_program());
    EXPECT_TRUE(bench.recording()->wrong.empty());
    EXPECT_TRUE(bench.recording()->findings.empty());
    EXPECT_EQ(bench.before().label, "TILE 2, PAD 0");
    // 4 blocks of 169 threads, 6 warps: in each of 2 phases a load of A and one of B.
    const KernelCounts& counts = bench.recording()->counts;
    EXPECT_EQ(counts.global_load.requests, 4u * 2 * 2 * 6);
    EXPECT_EQ(counts.multiply_adds, 26u * 26 * 26);
    EXPECT_EQ(trace.arrays[3].name, "As");
    EXPECT_EQ(trace.arrays[3].leading_dimension, 16u);
}

TEST(OtherTiles, AnInvalidTileIsAMessageAndChangesNothing) {
    Workbench bench(paused(request("09_tiled", 16, 8)));
    const std::uint64_t shown = bench.recording()->id;
    for (const auto& [tile, pad, words] : {std::tuple{33, 0, "33 x 33 = 1,089 threads"},
                                           {0, 0, "TILE is 0"},
                                           {8, -1, "PAD is -1"}}) {
        bench.apply(with_tile(bench, tile, pad));
        EXPECT_THAT(bench.message(), HasSubstr(words));
        EXPECT_EQ(bench.request().parameters.tile, 8);
        EXPECT_EQ(bench.recording()->id, shown);
    }
    bench.apply(Command{SetGeneration{"1.1"}});
    bench.apply(with_tile(bench, 25, 0));  // 625 threads; the limit is 512
    EXPECT_THAT(bench.message(), HasSubstr("625 threads"));
}

TEST(OtherTiles, DoNotRace) {
    Workbench bench(paused(request("09_tiled", 16, 8)));
    KernelParameters parameters = bench.request().parameters;
    parameters.tile = 13;
    bench.apply(Command{RaceAction{RacePair{"09_tiled", parameters}}});
    EXPECT_EQ(bench.races().pair(), nullptr);
    EXPECT_THAT(bench.message(), HasSubstr("only what is built in can race"));
}

}  // namespace
}  // namespace tilereel::other_tiles_test
