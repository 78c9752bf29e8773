// The largest phase table: kMostPhaseEntries loads and products, and as many cells.
#include <gtest/gtest.h>

#include "instrumentation/analysis/phases/phase_table.h"
#include "tests/analysis/trace_builder.h"

namespace tilereel::phase_table_limit_test {
namespace {

constexpr std::uint32_t kThreadsOfTheLargestBlock = 1024;

// One warp of a product repeats an access of A, B, C or a shared array.
Trace repeated(int times, Operation operation, ArrayId array, std::uint8_t width_bytes = 4) {
    TraceBuilder builder;
    for (const char* const name : {"A", "B", "C"}) builder.add_array(name, Space::kGlobal, 1, 128);
    builder.add_array("tile", Space::kShared, 1, 128);
    builder.begin_segment(0, 0, 0);
    for (int i = 0; i < times; ++i)
        builder.access(
            operation, array,
            [&](int lane) { return static_cast<std::uint32_t>(lane) * width_bytes; },
            TraceBuilder::kAllLanes, width_bytes);
    Trace trace = builder.take();
    trace.launch.block = {kWarpSize, 1, 1};
    return trace;
}
constexpr ArrayId kA = 0, kC = 2, kTile = 3;

// One thread of the largest block loads an element in each phase and multiplies it.
Trace of_phases(std::uint32_t phases) {
    constexpr std::uint32_t kOneLane = 1;
    TraceBuilder builder;
    for (const char* const name : {"A", "B", "C"}) builder.add_array(name, Space::kGlobal, 1, 128);
    builder.add_array("tile", Space::kShared, 1, 128);
    const auto first = [](int) { return 0u; };
    for (std::uint32_t phase = 0; phase < phases; ++phase) {
        builder.begin_segment(0, 2 * phase, 0);
        builder.access(Operation::kLoad, kA, first, kOneLane);
        builder.access(Operation::kStore, kTile, first, kOneLane);
        builder.barrier();
        builder.begin_segment(0, 2 * phase + 1, 0);
        builder.access(Operation::kLoad, kTile, first, kOneLane);
        builder.multiply_add(0, kOneLane);
        builder.barrier();
    }
    Trace trace = builder.take();
    trace.launch.block = {kThreadsOfTheLargestBlock, 1, 1};
    return trace;
}

TEST(PhaseTableLimit, CountsValuesStoredWithoutALoad) {
    const int most = kMostPhaseEntries / kWarpSize;
    EXPECT_TRUE(phase_table(repeated(most, Operation::kStore, kTile), 0));
    EXPECT_FALSE(phase_table(repeated(most + 1, Operation::kStore, kTile), 0));
}

TEST(PhaseTableLimit, CountsEachWordOfAWideLoad) {
    const int most = kMostPhaseEntries / (4 * kWarpSize);
    EXPECT_TRUE(phase_table(repeated(most, Operation::kLoad, kA, 16), 0));
    EXPECT_FALSE(phase_table(repeated(most + 1, Operation::kLoad, kA, 16), 0));
}

TEST(PhaseTableLimit, CountsNoStoresOfC) {
    const int more = kMostPhaseEntries / kWarpSize + 1;
    EXPECT_TRUE(phase_table(repeated(more, Operation::kStore, kC), 0));
}

// Most cells are empty.
TEST(PhaseTableLimit, CountsCells) {
    const std::uint32_t most = kMostPhaseEntries / kThreadsOfTheLargestBlock;
    const Result<PhaseTable> table = phase_table(of_phases(most), 0);
    ASSERT_TRUE(table) << table.error().message;
    EXPECT_EQ(table->phases, most);
    EXPECT_FALSE(phase_table(of_phases(most + 1), 0));
}

}  // namespace
}  // namespace tilereel::phase_table_limit_test
