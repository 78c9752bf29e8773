// Grids of cells: their places in pixels, and the block that stores an element.
#include "app/stage/layout/cell_window.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/stage/plan/block_grid.h"

namespace tilereel::stage::cell_window_test {
namespace {

TEST(CellWindow, FillingCoversTheRectangle) {
    const Rect rect{10, 20, 96, 30};
    const CellWindow grid = CellWindow::filling(rect, 3, 32);
    EXPECT_EQ(grid.window, rect);
    EXPECT_EQ(grid.cell({0, 0}), (Rect{10, 20, 3, 10}));
    EXPECT_EQ(grid.cell({2, 31}), (Rect{103, 40, 3, 10}));
    EXPECT_EQ(grid.all(), (CellRect{0, 0, 3, 32}));
}

// Text in a cell would blur, and gaps would differ, if cells stood between pixels.
TEST(CellWindow, SlotsStandOnWholePixelsAndLeaveTheGap) {
    CellWindow grid{.rows = 2, .columns = 16};
    grid.show_all({7.25f, 5}, {18.4f, 50});
    const ImVec2 gap{1.5f, 20};
    for (std::uint32_t i = 0; i < 32; ++i) {
        const Rect slot = grid.slot(i, gap);
        EXPECT_EQ(slot.x, std::round(slot.x)) << i;
        EXPECT_EQ(slot.w, 16) << i;
        EXPECT_EQ(slot.y, i < 16 ? 5 : 55) << i;
        EXPECT_EQ(slot.h, 30) << i;
        EXPECT_NEAR(slot.x, 7.25f + 18.4f * static_cast<float>(i % 16), 0.5f) << i;
    }
    EXPECT_EQ(grid.slot(4, gap, 4).x, grid.slot(4, gap).x);
    EXPECT_EQ(grid.slot(4, gap, 4).w, std::floor(4 * 18.4f - 1.5f));
}

// A map of many cells has less than a pixel for each.
TEST(CellWindow, AMarkCanBeSeenAndIsInsideTheWindow) {
    const CellWindow map = CellWindow::filling({10, 10, 50, 50}, 1000, 1000);
    for (const Element at : {Element{0, 0}, Element{500, 999}, Element{999, 999}}) {
        const Rect mark = map.mark(one_cell(at));
        EXPECT_GE(mark.w, 2);
        EXPECT_GE(mark.h, 2);
        EXPECT_LE(mark.right(), 60.001f);
        EXPECT_LE(mark.bottom(), 60.001f);
    }
}

TEST(BlockGrid, FindsTheBlockThatStoresAnElement) {
    Launch launch;
    launch.grid = {3, 2, 1};
    launch.m = 8;
    launch.n = 12;
    BlockGrid grid;
    grid.first = {0, 0, 4, 4};
    grid.column_by_x = grid.row_by_y = 4;
    EXPECT_EQ(grid.storing({0, 0}, launch), 0u);
    EXPECT_EQ(grid.storing({3, 11}, launch), 2u);
    EXPECT_EQ(grid.storing({4, 5}, launch), 4u);
    EXPECT_EQ(grid.storing({8, 0}, launch), std::nullopt);
}

}  // namespace
}  // namespace tilereel::stage::cell_window_test
