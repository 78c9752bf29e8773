// Each look of a cell has a shape of its own: app/README.md, "The look", State by shape.
#include "app/ui/cells/cells.h"

#include "app/ui/cells/cell_renderer.h"
#include "tests/ui/offscreen_fixture.h"

namespace tilereel::cells_test {
namespace {

constexpr int kTolerance = 6;

class CellsTest : public OffscreenTest {
  protected:
    // One cell of 40 px pitch whose own pixels are 38 x 38 from (41, 41).
    static constexpr int kLeft = 41, kTop = 41, kSize = 38;
    Image one(CellLook look, ColorRole role = ColorRole::kA, std::uint8_t level = 0) {
        CellGrid grid{.at = {40, 40}, .pitch_x = 40, .pitch_y = 40, .rows = 1, .columns = 1};
        grid.cells = {{look, role, level, 0}};
        return render([&] { add_cell_grid(look_, grid); });
    }
    static ImU32 center(const Image& image) {
        return pixel(image, kLeft + kSize / 2, kTop + kSize / 2);
    }
    // A pixel that the dot of kNeverWritten does not cover.
    static ImU32 body(const Image& image) { return pixel(image, kLeft + 10, kTop + 12); }
    static ImU32 edge(const Image& image) { return pixel(image, kLeft, kTop + kSize / 2); }
    // Along the left edge, how many pixels have `color`.
    static int on_left_edge(const Image& image, ImU32 color) {
        int count = 0;
        for (int y = kTop; y < kTop + kSize; ++y)
            count += distance(pixel(image, kLeft, y), color) < 60 ? 1 : 0;
        return count;
    }
    void expect_color(ImU32 seen, ImU32 wanted, const char* where) {
        EXPECT_LE(distance(seen, wanted), kTolerance) << where;
    }
    const Palette& colors() { return look_.colors(); }
};

TEST_F(CellsTest, NothingDrawsNothing) {
    const Image image = one(CellLook::kNothing);
    expect_color(center(image), colors().panel, "centre");
}

TEST_F(CellsTest, PlainFillsStopAtTheGap) {
    expect_color(body(one(CellLook::kIdle)), colors().cell, "idle");
    expect_color(body(one(CellLook::kBand)), colors().a_tint, "band");
    expect_color(edge(one(CellLook::kBand)), colors().a_tint, "band has no border");
    const Image solid = one(CellLook::kSolid, ColorRole::kB);
    expect_color(body(solid), colors().b, "solid");
    expect_color(pixel(solid, kLeft - 1, kTop + 10), colors().panel, "gap left");
    expect_color(pixel(solid, kLeft, kTop + 10), colors().b, "first column");
    expect_color(pixel(solid, kLeft + kSize - 1, kTop + 10), colors().b, "last column");
    expect_color(pixel(solid, kLeft + kSize, kTop + 10), colors().panel, "gap right");
    EXPECT_GT(distance(pixel(solid, kLeft, kTop), colors().b), 60) << "corner is rounded";
}

// The look of a value that was stored without a load has stripes, and no other look has.
TEST_F(CellsTest, NotLoadedIsStriped) {
    const auto seen = [&](const Image& image, ImU32 color) {
        int count = 0;  // on the diagonal that crosses the stripes, within the border
        for (int i = 4; i < kSize - 4; ++i)
            count += distance(pixel(image, kLeft + i, kTop + kSize - 1 - i), color) <= kTolerance;
        return count;
    };
    const Image image = one(CellLook::kNotLoaded);
    EXPECT_GE(seen(image, colors().a_tint), 8);
    EXPECT_GE(seen(image, colors().cell), 8);
    expect_color(edge(image), colors().a, "border");
    EXPECT_EQ(seen(one(CellLook::kValid), colors().cell), 0);
    const Image stale = one(CellLook::kStaleNotLoaded);
    EXPECT_GE(seen(stale, colors().cell), 8);
    EXPECT_GE(seen(stale, colors().panel), 8);
    EXPECT_EQ(seen(one(CellLook::kStale), colors().cell), 0);
    EXPECT_GT(on_left_edge(stale, colors().ink3), 12) << "dashed border";
    EXPECT_LT(on_left_edge(stale, colors().ink3), 34) << "dashed border";
}

TEST_F(CellsTest, NeverWrittenHasADot) {
    const Image image = one(CellLook::kNeverWritten);
    EXPECT_GT(distance(center(image), colors().cell), 40);
    expect_color(body(image), colors().cell, "around the dot");
}

TEST_F(CellsTest, StaleIsDashedAndEmpty) {
    const Image image = one(CellLook::kStale);
    expect_color(body(image), colors().panel, "no fill");
    const int dashes = on_left_edge(image, colors().ink3);
    EXPECT_GT(dashes, kSize / 3);
    EXPECT_LT(dashes, kSize * 3 / 4);
}

TEST_F(CellsTest, BeingCopiedIsDashedInItsRole) {
    const Image image = one(CellLook::kBeingCopied, ColorRole::kB);
    expect_color(body(image), colors().panel, "no fill");
    const int dashes = on_left_edge(image, colors().b);
    EXPECT_GT(dashes, kSize / 3);
    EXPECT_LT(dashes, kSize * 3 / 4);
}

TEST_F(CellsTest, ValidHasASolidBorder) {
    const Image image = one(CellLook::kValid);
    expect_color(body(image), colors().a_tint, "fill");
    expect_color(edge(image), colors().a, "border");
    EXPECT_GE(on_left_edge(image, colors().a), kSize - 8);
}

TEST_F(CellsTest, CopiedHasACornerTriangle) {
    const Image image = one(CellLook::kCopied);
    expect_color(body(image), colors().a_tint, "fill");
    // Legs of 0.36 x 38 = 13.7 px from the lower right corner.
    expect_color(pixel(image, kLeft + kSize - 4, kTop + kSize - 4), colors().a, "in the corner");
    expect_color(pixel(image, kLeft + kSize - 2, kTop + kSize - 10), colors().a, "along the edge");
    expect_color(pixel(image, kLeft + kSize - 9, kTop + kSize - 9), colors().a_tint, "beyond");
    expect_color(pixel(image, kLeft + 4, kTop + 4), colors().a_tint, "other corner");
}

TEST_F(CellsTest, OffIsHatchedAtFortyFiveDegrees) {
    const Image image = one(CellLook::kOff);
    int inked = 0, empty = 0;
    for (int y = kTop + 8; y < kTop + 30; ++y)
        for (int x = kLeft + 8; x < kLeft + 30; ++x) {
            const ImU32 here = pixel(image, x, y);
            inked += distance(here, colors().panel) > 40 ? 1 : 0;
            empty += distance(here, colors().panel) <= kTolerance ? 1 : 0;
            // Along the line that rises to the right nothing changes.
            EXPECT_LE(distance(here, pixel(image, x + 1, y - 1)), kTolerance);
        }
    EXPECT_GT(inked, 22 * 22 / 6);
    EXPECT_GT(empty, 22 * 22 / 4);
}

TEST_F(CellsTest, CurrentConflictIsLargerThanItsCell) {
    const Image image = one(CellLook::kConflictCurrent);
    expect_color(body(image), colors().conflict, "fill");
    expect_color(pixel(image, kLeft - 1, kTop + 19), colors().ink, "border outside the cell");
    expect_color(pixel(image, kLeft - 2, kTop + 19), colors().ink, "2 px larger on each side");
    expect_color(pixel(image, kLeft - 3, kTop + 19), colors().panel, "and no more");
}

TEST_F(CellsTest, WaitingConflictIsTintedAndBordered) {
    const Image image = one(CellLook::kConflictWaiting);
    expect_color(body(image), colors().conflict_tint, "fill");
    expect_color(edge(image), colors().conflict, "border");
}

TEST_F(CellsTest, PartialFillsFromBelow) {
    const Image image = one(CellLook::kPartial, ColorRole::kC, 128);
    expect_color(pixel(image, kLeft + 10, kTop + 15), colors().c_tint, "above");
    EXPECT_GT(distance(pixel(image, kLeft + 10, kTop + 23), colors().c_tint), 60) << "below";
}

TEST_F(CellsTest, PartialBarGrowsToTheRight) {
    const Image image = one(CellLook::kPartialBar, ColorRole::kC, 128);
    expect_color(pixel(image, kLeft + 6, kTop + kSize - 3), colors().c, "done");
    expect_color(pixel(image, kLeft + 26, kTop + kSize - 3), colors().c_tint, "to do");
    expect_color(pixel(image, kLeft + 6, kTop + kSize - 7), colors().c_tint, "above the bar");
}

TEST_F(CellsTest, InFlightKeepsAPanelColouredGap) {
    const MovingCell cell{{60, 60, 40, 40}, CellLook::kInFlight, ColorRole::kA, 255, 4};
    const Image image = render([&] {
        draw_list()->AddRectFilled({0, 0}, {200, 200}, colors().c);
        add_moving_cells(look_, {cell});
    });
    expect_color(pixel(image, 80, 80), colors().a, "fill");
    expect_color(pixel(image, 59, 80), colors().panel, "gap");
    expect_color(pixel(image, 57, 80), colors().c, "1.5 px wide");
}

TEST_F(CellsTest, DimFades) {
    CellGrid grid{.at = {40, 40}, .pitch_x = 40, .pitch_y = 40, .rows = 1, .columns = 1};
    grid.cells = {{CellLook::kSolid, ColorRole::kA, 0, 128}};
    const Image image = render([&] { add_cell_grid(look_, grid); });
    expect_color(body(image), mix(colors().a, colors().panel, 128.0f / 255), "half way");
}

// At any pitch: each cell's first and last pixels have its colour, and the gap has none of it.
TEST_F(CellsTest, EdgesAreSharpAtAnyPitch) {
    for (const float pitch : {1.0f, 2.5f, 3.7f, 5.9f, 6.0f, 7.3f, 12.4f, 19.0f}) {
        CellGrid grid{
            .at = {10.3f, 10.6f}, .pitch_x = pitch, .pitch_y = pitch, .rows = 9, .columns = 9};
        grid.radius = 0;
        grid.cells.assign(81, {CellLook::kSolid, ColorRole::kA, 0, 0});
        for (std::size_t i = 0; i < 81; i += 2) grid.cells[i].role = ColorRole::kB;
        const Image image = render([&] { add_cell_grid(look_, grid); });
        for (std::uint32_t row = 0; row < 9; ++row)
            for (std::uint32_t column = 0; column < 9; ++column) {
                const Rect rect = cell_rect(grid, row, column);
                const ImU32 wanted = (row * 9 + column) % 2 == 0 ? colors().b : colors().a;
                const int x0 = static_cast<int>(rect.x), x1 = static_cast<int>(rect.right()) - 1;
                const int y = static_cast<int>(rect.y);
                ASSERT_GE(rect.w, 1) << pitch;
                EXPECT_EQ(pixel(image, x0, y), wanted) << "pitch " << pitch << " column " << column;
                EXPECT_EQ(pixel(image, x1, y), wanted) << "pitch " << pitch << " column " << column;
                if (pitch >= 6 && column < 8) {
                    EXPECT_EQ(pixel(image, x1 + 1, y), colors().panel) << "pitch " << pitch;
                }
            }
    }
}

TEST_F(CellsTest, StaysInsideTheClipRect) {
    CellGrid grid{.at = {0, 0}, .pitch_x = 10, .pitch_y = 10, .rows = 20, .columns = 32, .gap = 0};
    grid.radius = 0;
    grid.cells.assign(640, {CellLook::kSolid, ColorRole::kA, 0, 0});
    const Image image = render([&] {
        draw_list()->PushClipRect({50, 60}, {150, 120}, true);
        add_cell_grid(look_, grid);
        draw_list()->PopClipRect();
    });
    EXPECT_EQ(pixel(image, 50, 60), colors().a);
    EXPECT_EQ(pixel(image, 149, 119), colors().a);
    EXPECT_EQ(pixel(image, 49, 60), colors().panel);
    EXPECT_EQ(pixel(image, 50, 59), colors().panel);
    EXPECT_EQ(pixel(image, 150, 119), colors().panel);
    EXPECT_EQ(pixel(image, 149, 120), colors().panel);
}

TEST_F(CellsTest, UnchangedCellsAreSentOnce) {
    CellGrid grid{.at = {0, 0}, .pitch_x = 10, .pitch_y = 10, .rows = 4, .columns = 4};
    grid.cells.assign(16, {CellLook::kIdle, ColorRole::kNone, 0, 0});
    const auto frame = [&] { render([&] { add_cell_grid(look_, grid); }); };
    frame();
    frame();
    EXPECT_EQ(CellRenderer::current()->uploads(), 1u);
    grid.cells[5].look = CellLook::kValid;
    frame();
    EXPECT_EQ(CellRenderer::current()->uploads(), 2u);
}

}  // namespace
}  // namespace tilereel::cells_test
