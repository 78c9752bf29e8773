// The lines in the phase table's cells. The expected ones follow from the tables in "Memory
// Coalescing and Tiled Matrix Multiplication", "Parallel Matrix Multiplication".
#include "app/panels/phases/phase_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/ladder/ladder.h"

namespace tilereel::phase_rows_test {
namespace {

using testing::ElementsAre;
using Lines = std::vector<std::string>;

struct LaidOutTable {
    Trace trace;
    PhaseTable table;
    PhaseLayout layout;
    [[nodiscard]] PhaseCellText text(std::size_t thread, std::uint32_t phase,
                                     std::size_t column) const {
        return text_of(trace, table.threads[thread].phases[phase], layout.columns[column]);
    }
};

LaidOutTable lay_out_kernel(const std::string& kernel, int extent, int tile,
                            std::uint32_t block = 0) {
    Trace trace =
        record_built_in({.kernel = kernel,
                         .parameters = {.m = extent, .n = extent, .k = extent, .tile = tile},
                         .inputs = {}})
            .value();
    PhaseTable table = phase_table(trace, block).value();
    PhaseLayout layout = lay_out(trace, table);
    return {std::move(trace), std::move(table), std::move(layout)};
}

TEST(PhaseRows, APhaseOfNaiveIsTwoLoadsAndAMultiplyAdd) {
    const LaidOutTable naive = lay_out_kernel("02_naive", 4, 2);
    ASSERT_EQ(naive.layout.columns.size(), 3u);
    EXPECT_EQ(naive.layout.lines, 1u);
    EXPECT_EQ(naive.table.phases, 4u);
    EXPECT_EQ(name_of(naive.table.threads[1]), "[0,1]");
    EXPECT_EQ(naive.text(1, 2, 0).lines, Lines{"Load A[0,2]"});
    EXPECT_EQ(naive.text(1, 2, 1).lines, Lines{"Load B[2,1]"});
    EXPECT_EQ(naive.text(1, 2, 2).lines, Lines{"C[0,1]+=A[0,2]*B[2,1]"});
}

TEST(PhaseRows, APhaseOfTiledShowsTheTargetOfEachLoadAndEveryProduct) {
    const LaidOutTable tiled = lay_out_kernel("09_tiled", 4, 2);
    EXPECT_EQ(tiled.layout.lines, 2u);
    EXPECT_EQ(tiled.text(2, 1, 0).lines, (Lines{"Load A[1,2]", "-> As[1,0]"}));
    EXPECT_EQ(tiled.text(2, 1, 1).lines, (Lines{"Load B[3,0]", "-> Bs[1,0]"}));
    EXPECT_EQ(tiled.text(2, 1, 2).lines, (Lines{"C[1,0]+=As[1,0]*Bs[0,0]", "+ As[1,1]*Bs[1,0]"}));
    EXPECT_EQ(whole_text(tiled.trace, tiled.table.threads[2], 1),
              "Thread[1,0], phase 2: Load A[1,2] -> As[1,0]; Load B[3,0] -> Bs[1,0]; "
              "C[1,0]+=As[1,0]*Bs[0,0] + As[1,1]*Bs[1,0]");
}

// 3 x 3 in 2 x 2 tiles, phase 1 of block (0,0): A[0,2] and A[1,2], B[2,0] and B[2,1] are there, the
// rest is not.
TEST(PhaseRows, LanesOutsideTheMatrixStoreZeroWithoutALoad) {
    const LaidOutTable edge = lay_out_kernel("10_tiled_any_size", 3, 2);
    ASSERT_EQ(edge.layout.columns.size(), 3u);
    for (const std::size_t thread : {0, 1, 2, 3}) {
        EXPECT_EQ(edge.text(thread, 1, 0).not_loaded, thread == 1 || thread == 3) << thread;
        EXPECT_EQ(edge.text(thread, 1, 1).not_loaded, thread == 2 || thread == 3) << thread;
        EXPECT_FALSE(edge.text(thread, 0, 0).not_loaded);
    }
    EXPECT_EQ(edge.text(1, 1, 0).lines, (Lines{"not loaded,", "0 stored", "-> As[0,1]"}));
    EXPECT_THAT(whole_text(edge.trace, edge.table.threads[3], 1),
                testing::HasSubstr("not loaded, 0 stored -> As[1,1]"));
    // Block (1,1): phase 0 already reaches over the edge, and thread [0,1] computes no element of C
    // but loads A[2,1].
    const LaidOutTable corner = lay_out_kernel("10_tiled_any_size", 3, 2, 3);
    EXPECT_EQ(corner.text(1, 0, 0).lines, (Lines{"Load A[2,1]", "-> As[0,1]"}));
    EXPECT_TRUE(corner.text(1, 0, 1).not_loaded);
    EXPECT_EQ(corner.text(1, 0, 2).lines[0].substr(0, 3), "sum");
}

TEST(PhaseRows, LongListsShowTheFirstTheNumberOfOthersAndTheLast) {
    const LaidOutTable large = lay_out_kernel("09_tiled", 32, 16);
    EXPECT_THAT(
        large.text(0, 0, 2).lines,
        ElementsAre("C[0,0]+=As[0,0]*Bs[0,0]", "+ \xe2\x80\xa6 14 more", "+ As[0,15]*Bs[15,0]"));
    const LaidOutTable outer = lay_out_kernel("12_outer_product", 64, 16);
    EXPECT_THAT(outer.text(0, 0, 0).lines, ElementsAre("A[0,0] -> As[0,0]", "A[4,0] -> As[4,0]",
                                                       "A[8,0] -> As[8,0]", "A[12,0] -> As[12,0]"));
    EXPECT_THAT(outer.text(0, 0, 1).lines,
                ElementsAre("B[0,0]", "\xe2\x80\xa6 14 more", "B[15,0]"));
    EXPECT_EQ(outer.text(0, 0, 2).lines.back(), "and 15 more sums");
}

// Room for the longest line, counted in characters, not bytes.
TEST(PhaseRows, ColumnsHoldTheirLongestLine) {
    const LaidOutTable tiled = lay_out_kernel("09_tiled", 32, 16);
    EXPECT_EQ(tiled.layout.lines, 3u);
    EXPECT_EQ(tiled.layout.columns[0].characters, std::string("Load A[15,31]").size());
    EXPECT_EQ(tiled.layout.columns[2].characters,
              std::string("C[15,15]+=As[15,0]*Bs[0,15]").size());
}

}  // namespace
}  // namespace tilereel::phase_rows_test
