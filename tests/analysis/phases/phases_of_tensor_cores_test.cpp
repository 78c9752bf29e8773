// Phase tables of the ladder's products on tensor cores. What a warp multiplies in a phase is known
// from the kernels: its part of C, and the columns of A that belong to the phase.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "app/ladder/ladder.h"
#include "instrumentation/analysis/phases/phase_table.h"

namespace tilereel::phases_of_tensor_cores_test {
namespace {

struct Case {
    const char* kernel;
    KernelParameters parameters;
    std::uint32_t rows, columns;  // of C, by a block
    std::uint32_t depth;          // of a phase
};

const Case kCases[] = {
    {"21_wmma", {.m = 64, .n = 64, .k = 64, .tile = 16, .pad = 0}, 16, 16, 64},
    {"22_mma_ldmatrix", {.m = 64, .n = 64, .k = 128, .tile = 64, .pad = 0}, 64, 64, 64},
    {"22_mma_ldmatrix", {.m = 128, .n = 64, .k = 128, .tile = 64, .pad = 8}, 64, 64, 64},
    {"23_mma_pipeline", {.m = 64, .n = 64, .k = 192, .tile = 64, .pad = 0}, 64, 64, 64},
    {"24_wgmma", {.m = 64, .n = 64, .k = 128, .tile = 64, .pad = 0}, 64, 64, 64},
    {"24_wgmma", {.m = 128, .n = 128, .k = 192, .tile = 128, .pad = 0}, 128, 128, 64},
    {"25_warp_specialised", {.m = 256, .n = 64, .k = 384, .tile = 64, .pad = 0}, 128, 64, 64},
};

Trace recorded(const Case& each) {
    RecordRequest request;
    request.kernel = each.kernel;
    request.parameters = each.parameters;
    Result<Trace> trace = record_built_in(request);
    EXPECT_TRUE(trace) << each.kernel;
    return std::move(trace).value();
}

std::uint64_t size_of(const RangeExtent& extent) {
    return std::uint64_t{extent.rows} * extent.columns;
}

TEST(PhasesOfTensorCores, AWarpsTilesAreItsPartOfCAndThePhasesPartOfK) {
    for (const Case& each : kCases) {
        const Trace trace = recorded(each);
        const Result<PhaseTable> table = phase_table(trace, 0);
        ASSERT_TRUE(table) << each.kernel << ": " << table.error().message;
        const auto phases = static_cast<std::uint32_t>(each.parameters.k) / each.depth;
        std::uint32_t multiplying = 0;
        std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> of_c;
        for (const PhaseThread& thread : table->threads) {
            std::uint32_t phase = 0;
            for (const PhaseCell& cell : thread.phases) {
                if (!cell.tile) continue;
                SCOPED_TRACE(std::string(each.kernel) + ": " + text_of(trace, *cell.tile));
                ASSERT_EQ(cell.tile->a.size(), 1u);
                ASSERT_EQ(cell.tile->b.size(), 1u);
                ASSERT_TRUE(cell.tile->c);
                EXPECT_EQ(cell.tile->a[0].first.column, phase * each.depth);
                EXPECT_EQ(cell.tile->a[0].extent.columns, each.depth);
                EXPECT_EQ(cell.tile->b[0].first.row, phase * each.depth);
                EXPECT_EQ(cell.tile->b[0].extent.rows, each.depth);
                const ElementRange& c = *cell.tile->c;
                of_c.insert({c.first.row, c.first.column, c.extent.rows, c.extent.columns});
                ++phase;
            }
            if (phase == 0) continue;  // a producer
            ++multiplying;
            EXPECT_EQ(phase, phases) << each.kernel;
        }
        EXPECT_GT(multiplying, 0u);
        std::uint64_t elements = 0;
        for (const auto& [row, column, rows, columns] : of_c)
            elements += std::uint64_t{rows} * columns;
        EXPECT_EQ(elements, std::uint64_t{each.rows} * each.columns) << each.kernel;
    }
}

// Each element of the block's rows of A and columns of B comes once, from another block or not.
TEST(PhasesOfTensorCores, EachElementIsLoadedToSharedMemoryOnce) {
    for (const Case& each : kCases) {
        if (std::string_view(each.kernel) == "21_wmma") continue;  // without shared memory
        const Trace trace = recorded(each);
        const PhaseTable table = phase_table(trace, 0).value();
        std::uint64_t loaded = 0, stored = 0, by_others = 0;
        for (const PhaseThread& thread : table.threads)
            for (const PhaseCell& cell : thread.phases)
                for (const PhaseLoad& load : cell.loads) {
                    if (!load.from || !load.to) continue;
                    loaded += size_of(load.from_extent);
                    stored += size_of(load.to_extent);
                    by_others += load.by_other_block ? size_of(load.from_extent) : 0;
                }
        const std::uint64_t expected =
            std::uint64_t{each.rows + each.columns} * static_cast<std::uint64_t>(each.parameters.k);
        EXPECT_EQ(loaded, expected) << each.kernel;
        EXPECT_EQ(stored, expected) << each.kernel;
        // Each block of a pair copies half of B's boxes for both.
        const bool shares = std::string_view(each.kernel) == "25_warp_specialised";
        EXPECT_EQ(by_others, shares ? expected * each.columns / 2 / (each.rows + each.columns) : 0u)
            << each.kernel;
    }
}

TEST(PhasesOfTensorCores, TextsNameRangesAndInstructions) {
    const Trace trace = recorded(kCases[1]);
    const PhaseTable table = phase_table(trace, 0).value();
    const PhaseCell& cell = table.threads[1].phases[1];
    ASSERT_FALSE(cell.loads.empty());
    EXPECT_EQ(text_of(trace, cell.loads[0]), "Load A[0,72..79] -> As[0,8..15]");
    ASSERT_TRUE(cell.tile);
    EXPECT_EQ(text_of(trace, *cell.tile), "C[0..31,0..31]+=A[0..31,64..127]*B[64..127,0..31]");
    EXPECT_EQ(products_text(*cell.tile), "32 m16n8k16");  // 32 x 32 x 64 / (16 x 8 x 16)
    EXPECT_EQ(who_multiplies(*cell.tile), "warp");
}

TEST(PhasesOfTensorCores, ElementsAreJoinedToRectangles) {
    const auto at = [](std::uint32_t row, std::uint32_t column) {
        return ElementName{0, row, column};
    };
    EXPECT_EQ(rectangles_of({at(1, 1), at(0, 0), at(0, 1), at(1, 0), at(0, 1)}),
              (std::vector{ElementRange{at(0, 0), {2, 2}}}));
    EXPECT_EQ(rectangles_of({at(0, 0), at(0, 1), at(1, 1), at(3, 1)}),
              (std::vector{ElementRange{at(0, 0), {1, 2}}, ElementRange{at(1, 1), {1, 1}},
                           ElementRange{at(3, 1), {1, 1}}}));
    EXPECT_TRUE(rectangles_of({}).empty());
}

}  // namespace
}  // namespace tilereel::phases_of_tensor_cores_test
