#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "instrumentation/base/sanitizers.h"
#include "tests/cli/shell_command.h"

namespace tilereel::tests::facts_and_occupancy_test {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Json json_of(const std::string& call) {
    const Ended ended = shell(call);
    EXPECT_EQ(ended.exit_code, 0) << call << ended.err;
    EXPECT_EQ(ended.err, "") << call;
    return Json::parse(ended.out, nullptr, false);
}

std::string wrong_call(const std::string& call) {
    const Ended ended = shell(call);
    EXPECT_EQ(ended.exit_code, 2) << call;
    EXPECT_EQ(ended.out, "") << call;
    return ended.err;
}

// CUDA C++ Best Practices Guide 12, "Calculating Occupancy" (11.1.1).
TEST(OccupancyCommand, MatchesThePublishedExamples) {
    const Json small = json_of(
        "tilereel occupancy --threads 128 --registers 37 --shared 0 --generation 7.0 --json");
    EXPECT_EQ(small["blocks"][0]["active_blocks"], 12);
    EXPECT_EQ(small["blocks"][0]["occupancy"], 0.75);
    EXPECT_EQ(small["blocks"][0]["limited_by"], Json::array({"registers"}));
    EXPECT_EQ(small["registers_assumed"], false);
    const Ended large =
        shell("tilereel occupancy --threads 320 --registers 37 --shared 0 --generation 7.0");
    EXPECT_THAT(large.out, HasSubstr("V100 (7.0), 37 registers a thread\n"));
    EXPECT_THAT(large.out, HasSubstr("40 of 64     62.5 %  registers"));
}

TEST(OccupancyCommand, ListsTheTilesOfAKernelAndTheSuggestedBlock) {
    const Json tiles = json_of("tilereel occupancy 11_tiled_dynamic --generation 8.6 --json");
    ASSERT_EQ(tiles["blocks"].size(), 5u);
    EXPECT_EQ(tiles["registers_assumed"], false);
    EXPECT_EQ(tiles["blocks"][3]["tile"], 16);
    EXPECT_EQ(tiles["blocks"][3]["shared_bytes"], 2 * 16 * 16 * 4);
    EXPECT_EQ(tiles["blocks"][3]["occupancy"], 1.0);
    EXPECT_EQ(tiles["blocks"][4]["active_warps"], 32);  // one block of 1,024 threads in 48 warps
    EXPECT_EQ(tiles["suggested"]["threads"], 768);
    EXPECT_EQ(tiles["suggested"]["tile"], 16);
    const Ended one = shell("tilereel occupancy 11_tiled_dynamic --tile 16");
    EXPECT_THAT(one.out, StartsWith("H100 (9.0), 32 registers a thread as compiled for 9.0\n"));
    EXPECT_THAT(one.out, HasSubstr("TILE 32 by occupancy on H100 (9.0)"));
    // 65,536 registers / (256 threads x 128): 8 x 8 sums a thread leave room for two blocks.
    const Json wide = json_of("tilereel occupancy 18_warp_tiled --tile 128 --json");
    EXPECT_EQ(wide["blocks"][0]["active_blocks"], 2);
    EXPECT_EQ(wide["blocks"][0]["limited_by"], Json::array({"registers"}));
    EXPECT_THAT(shell("tilereel occupancy 20_champion").out,
                StartsWith("H100 (9.0), registers a thread as compiled for 9.0\n"));
    EXPECT_THAT(shell("tilereel occupancy --threads 64").out,
                StartsWith("H100 (9.0), 32 registers a thread assumed\n"));
    const Json fixed = json_of("tilereel occupancy 09_tiled --tile 32 --pad 1 --json");
    EXPECT_EQ(fixed["blocks"][0]["shared_bytes"], 2 * 32 * 33 * 4);
    EXPECT_FALSE(fixed.contains("suggested"));
    const Json whole = json_of("tilereel occupancy 06_single_block --m 32 --n 32 --k 8 --json");
    EXPECT_EQ(whole["blocks"][0]["threads"], 1024);
}

// A block's resources do not depend on K, so nothing is recorded: K = 2^20 would record 3.2 GB.
TEST(OccupancyCommand, RecordsNothing) {
    if (TILEREEL_ADDRESS_SANITIZER || TILEREEL_THREAD_SANITIZER)
        GTEST_SKIP() << "a sanitizer reserves more addresses";
    const Ended small = shell("tilereel occupancy 02_naive");
    const Ended large = shell("ulimit -v 500000; timeout 10 '" TILEREEL_PROGRAM
                              "' occupancy 02_naive --m 1048576 --n 1048576 --k 1048576");
    EXPECT_EQ(large.exit_code, 0) << large.err;
    EXPECT_EQ(large.out, small.out);
}

TEST(OccupancyCommand, ErrorsSayWhatToDo) {
    EXPECT_THAT(wrong_call("tilereel occupancy"), HasSubstr("--threads"));
    EXPECT_THAT(wrong_call("tilereel occupancy --threads 1024 --registers 65"),
                HasSubstr("use fewer threads or registers"));
    EXPECT_THAT(wrong_call("tilereel occupancy --threads 600 --generation 1.3"),
                HasSubstr("at most 512"));
    EXPECT_THAT(wrong_call("tilereel occupancy cpu_tiled"), HasSubstr("runs on the CPU"));
    EXPECT_THAT(wrong_call("tilereel occupancy 99_none"), HasSubstr("the kernels are "));
    EXPECT_THAT(wrong_call("tilereel occupancy 09_tiled --tile 5"), HasSubstr("TILE 5"));
    EXPECT_NE(wrong_call("tilereel occupancy 09_tiled --threads 64"), "");
    EXPECT_NE(wrong_call("tilereel occupancy --threads 2000"), "");
}

TEST(TileAuto, FollowsTheGenerationOfTheReport) {
    const auto tile = [](const std::string& options) {
        return json_of("tilereel report 11_tiled_dynamic --tile auto --json " + options)["tile"];
    };
    EXPECT_EQ(tile(""), 32);
    EXPECT_EQ(tile("--generation 8.6"), 16);
    EXPECT_THAT(wrong_call("tilereel report 09_tiled --tile auto"),
                HasSubstr("give TILE a number"));
    EXPECT_THAT(wrong_call("tilereel report 09_tiled --tile some"),
                HasSubstr("a whole number from 1 to 1,024 or auto"));
}

TEST(FactsCommand, ListsAllFactsWithTheirSources) {
    const Json facts = json_of("tilereel facts --json");
    ASSERT_GE(facts.size(), 25u);
    for (const Json& fact : facts) {
        EXPECT_NE(fact["source"]["document"], "") << fact["id"];
        EXPECT_NE(fact["source"]["section"], "") << fact["id"];
        EXPECT_FALSE(fact.contains("recorded")) << fact["id"];
    }
    const Ended text = shell("tilereel facts");
    EXPECT_THAT(text.out, HasSubstr("source:   \"Lab 6 - Shared Memory\", exercise 2"));
}

TEST(FactsCommand, ShowsFactsOfAKernelBesideRecordedValues) {
    const Json facts = json_of("tilereel facts 09_tiled --m 32 --n 32 --k 64 --tile 8 --json");
    bool found = false;
    for (const Json& fact : facts) {
        if (fact["id"] != "flop_per_byte_tiled") continue;
        found = true;
        EXPECT_EQ(fact["figures"][0]["value"], 2.0);  // TILE / 4
        EXPECT_EQ(fact["recorded"]["figures"][0]["value"], 2.0);
    }
    EXPECT_TRUE(found);
    const Ended simple = shell("tilereel facts 03_guide_simple --generation 1.0");  // K = TILE
    EXPECT_EQ(simple.exit_code, 0) << simple.err;
    EXPECT_THAT(simple.out, HasSubstr("8.7 GB/s on a GTX 280"));
    EXPECT_THAT(simple.out, HasSubstr("takes 32 transactions and uses 4 bytes of each"));
    EXPECT_THAT(wrong_call("tilereel facts --tile 8"), HasSubstr("name the kernel"));
    EXPECT_THAT(wrong_call("tilereel facts 09_tiled --k 60"), HasSubstr("use 64"));
}

TEST(FactsCommand, SaysWhyTheChampionChoosesItsTiles) {
    const Ended large = shell("tilereel facts 20_champion --m 8192 --n 8192 --k 8192 --why");
    EXPECT_EQ(large.exit_code, 0) << large.err;
    EXPECT_THAT(large.out, HasSubstr("computes 8192 x 8192 x 8192 by 256x128; stream-K."));
    EXPECT_THAT(large.out, HasSubstr("goes into the multiply-adds"));
    const Ended ragged = shell("tilereel facts 20_champion --m 20 --n 30 --k 41 --why");
    EXPECT_THAT(ragged.out, HasSubstr("Rows of A do not start at multiples of 16 bytes"));
    EXPECT_THAT(wrong_call("tilereel facts 20_champion --m 64 --why"),
                HasSubstr("give --m, --n and --k"));
    EXPECT_THAT(wrong_call("tilereel facts 09_tiled --m 64 --n 64 --k 64 --why"),
                HasSubstr("name that kernel"));
}

TEST(KernelsCommand, NamesWhatEachKernelNeeds) {
    const Json kernels = json_of("tilereel kernels --json");
    for (const Json& kernel : kernels) {
        EXPECT_NE(kernel["needs"], "") << kernel["id"];
        if (kernel["id"] != "12_outer_product") continue;
        EXPECT_EQ(kernel["needs"], "M, K multiples of TILE, N of 64");
    }
    EXPECT_THAT(shell("tilereel kernels").out,
                HasSubstr("M x N at most 1024, a thread each; K at most M and N"));
}

}  // namespace
}  // namespace tilereel::tests::facts_and_occupancy_test
