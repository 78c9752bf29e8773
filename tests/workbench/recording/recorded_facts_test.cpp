// The recorded figures beside facts, compared with counts that follow from the kernels' loops.
#include "app/workbench/recording/recorded_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"
#include "tests/workbench/bench.h"

namespace tilereel::recorded_facts_test {
namespace {

using testing::HasSubstr;

RecordedFact recorded(const RecordRequest& of, std::string_view id,
                      std::string_view generation = "9.0") {
    const Trace trace = record_built_in(of).value();
    const Generation& rules = *find_generation(generation);
    for (const RecordedFact& fact : recorded_facts(trace, count_sites(trace, {}, rules), rules))
        if (fact.fact.id == id) return fact;
    ADD_FAILURE() << of.kernel << " has no fact " << id;
    return {};
}

double figure(const RecordedFact& of, std::string_view name) {
    for (const FactFigure& each : of.figures)
        if (each.name == name) return each.value;
    ADD_FAILURE() << of.fact.id << " recorded no " << name;
    return 0;
}

TEST(RecordedFacts, ArithmeticIntensityConfirmsTheFormula) {
    EXPECT_DOUBLE_EQ(figure(recorded(request("02_naive", 32, 8), "flop_per_byte_untiled"),
                            "arithmetic intensity"),
                     0.25);
    for (const int tile : {2, 4, 8, 16})
        EXPECT_DOUBLE_EQ(figure(recorded(request("09_tiled", 32, tile), "flop_per_byte_tiled"),
                                "arithmetic intensity"),
                         tile / 4.0);
    // 10 x 10 in tiles of 4: 3 x 3 blocks read 10 x 10 of A and B three times, and the threads
    // beyond the edges multiply and add zeros.
    EXPECT_DOUBLE_EQ(figure(recorded(request("10_tiled_any_size", 10, 4), "flop_per_byte_tiled"),
                            "arithmetic intensity"),
                     2.0 * 12 * 12 * 12 / (2 * 3 * 100 * 4));
    EXPECT_NEAR(figure(recorded(request("09_tiled", 32, 32), "bound_tile_32"), "bound"), 7489.6,
                1e-6);
}

TEST(RecordedFacts, BytesOfTheEffectiveBandwidth) {
    RecordRequest simple = request("03_guide_simple", 32, 16);
    simple.parameters.k = 16;
    const RecordedFact fact = recorded(simple, "effective_bandwidth");
    EXPECT_EQ(figure(fact, "read"), 2.0 * 32 * 32 * 16 * 4);
    EXPECT_EQ(figure(fact, "written"), 32.0 * 32 * 4);
    EXPECT_EQ(fact.recorded, "131,072 bytes read and 4,096 written");
}

// A half-warp, one word of A: 16 transactions on 1.0, one on 1.2; a warp has two half-warps.
TEST(RecordedFacts, TransactionsFollowTheGeneration) {
    RecordRequest simple = request("03_guide_simple", 32, 16);
    simple.parameters.k = 16;
    const auto transactions = [&](std::string_view generation) {
        return figure(recorded(simple, "half_warp_transactions", generation), "a request");
    };
    EXPECT_EQ(transactions("1.0"), 32);
    EXPECT_EQ(transactions("1.1"), 32);
    EXPECT_EQ(transactions("1.2"), 2);
    EXPECT_EQ(figure(recorded(simple, "half_warp_transactions", "1.3"), "used of each"), 4);
    EXPECT_EQ(
        figure(recorded(request("01_naive_by_column", 32, 32), "by_column_slower"), "a request"),
        32);
}

TEST(RecordedFacts, BarriersPhasesAndOperands) {
    const RecordedFact barriers = recorded(request("09_tiled", 32, 8), "two_barriers");
    EXPECT_EQ(figure(barriers, "phases"), 4);
    EXPECT_EQ(figure(barriers, "barriers"), 8);
    EXPECT_EQ(figure(recorded(request("14_outer_product_prefetch", 64, 16), "prefetch_barriers"),
                     "barriers"),
              5);
    EXPECT_EQ(figure(recorded(request("02_naive", 4, 2), "phases_untiled"), "phases"), 4);
    EXPECT_EQ(figure(recorded(request("09_tiled", 4, 2), "phases_tiled"), "phases"), 2);
    EXPECT_THAT(recorded(request("09_tiled", 4, 2), "phases_tiled").recorded,
                HasSubstr("2 phases, 4 loads a thread"));
    EXPECT_EQ(figure(recorded(request("09_tiled", 16, 8), "shared_operands"),
                     "shared reads a multiply-add"),
              2);
    EXPECT_EQ(figure(recorded(request("12_outer_product", 64, 16), "shared_operands"),
                     "shared reads a multiply-add"),
              1);
    const RecordedFact outer = recorded(request("12_outer_product", 64, 16), "outer_product");
    EXPECT_EQ(figure(outer, "threads a block"), 64);
    EXPECT_EQ(figure(outer, "iterations a phase"), 16);
}

// 3 x 3 in 2 x 2 tiles: 4 blocks x 2 phases x 4 threads x 2 stores. The two blocks of a block
// column load the 9 elements of A once, and there are two such columns; likewise the block rows and
// B.
TEST(RecordedFacts, ZeroFillAtTheEdges) {
    const RecordedFact fact = recorded(request("10_tiled_any_size", 3, 2), "invalid_loads");
    EXPECT_EQ(figure(fact, "cells stored"), 64);
    EXPECT_EQ(figure(fact, "zeros stored"), 64 - 2 * 9 - 2 * 9);
}

TEST(RecordedFacts, OccupancyFollowsTheGeneration) {
    const RecordRequest tiled = request("11_tiled_dynamic", 32, 32);
    EXPECT_EQ(figure(recorded(tiled, "occupancy_formula"), "occupancy"), 100);
    EXPECT_EQ(recorded(tiled, "occupancy_formula", "8.6").recorded,
              "1 block x 1,024 threads / 1,536 = 66.67 % on RTX 3090 (8.6), 32 registers a thread "
              "as compiled for 9.0");
    EXPECT_EQ(figure(recorded(tiled, "block_by_occupancy", "8.6"), "TILE"), 16);
    EXPECT_EQ(figure(recorded(tiled, "tile_limit"), "shared memory"), 2 * 32 * 32 * 4);
    // 1,024 threads are more than a block has there.
    EXPECT_THAT(recorded(tiled, "occupancy_formula", "1.3").recorded, HasSubstr("at most 512"));
}

TEST(RecordedFacts, EachFactThatNamesARecordedFigureHasIt) {
    for (const KernelInfo& kernel : catalog()) {
        RecordRequest small = request(std::string(kernel.id), 64, 16);
        if (kernel.id == "06_single_block") small.parameters = {.m = 16, .n = 16, .k = 16};
        if (!validate(kernel, small.parameters)) small.parameters.k = 16;
        if (!validate(kernel, small.parameters)) small.parameters.tile = kernel.tiles.front();
        if (!validate(kernel, small.parameters)) small.parameters.k = 64;
        if (!validate(kernel, small.parameters))
            small.parameters.m = small.parameters.n = small.parameters.tile;
        if (!validate(kernel, small.parameters)) small.parameters.m = 256;
        const Trace trace = record_built_in(small).value();
        for (const RecordedFact& fact : recorded_facts(trace, count_sites(trace)))
            EXPECT_EQ(fact.recorded.empty(), fact.fact.recorded == RecordedFigure::kNone)
                << kernel.id << ' ' << fact.fact.id;
    }
}

}  // namespace
}  // namespace tilereel::recorded_facts_test
