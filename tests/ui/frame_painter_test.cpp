// A frame is drawn only where it differs from the frame before. It looks as if it were drawn whole.
#include "app/ui/frame/frame_painter.h"

#include <random>

#include "app/ui/cells/cells.h"
#include "app/ui/cells/magnifier.h"
#include "app/ui/draw/draw.h"
#include "tests/ui/offscreen_fixture.h"

namespace tilereel::frame_painter_test {
namespace {

class FramePainterTest : public OffscreenTest {
  protected:
    using Drawing = std::function<void()>;
    void SetUp() override {
        OffscreenTest::SetUp();
        if (renderer_) show([] {});  // bakes the fonts
    }
    // Draws on a background of the window's size. Returns the parts that were drawn anew.
    std::vector<PixelRect> show(const Drawing& draw) {
        for (int pass = 0; pass < 3; ++pass)
            renderer_->build(0.1, [&] {
                draw_in_window([&] {
                    fill_rect({0, 0, kWidth, kHeight}, look_.colors().panel);
                    draw();
                });
            });
        return renderer_->render();
    }
    // Whether the picture is the one that is drawn when nothing is kept.
    void expect_as_drawn_whole() {
        const Image kept = renderer_->read();
        renderer_->forget();
        renderer_->render();
        EXPECT_EQ(kept.rgba, renderer_->read().rgba);
    }
    static bool contains(const std::vector<PixelRect>& parts, int x, int y) {
        return std::ranges::any_of(parts, [&](const PixelRect& part) {
            return !intersection(part, {x, y, x + 1, y + 1}).empty();
        });
    }
    static long area(const std::vector<PixelRect>& parts) {
        long pixels = 0;
        for (const PixelRect& part : parts)
            pixels += long{part.right - part.left} * (part.bottom - part.top);
        return pixels;
    }
    static CellGrid grid() {
        CellGrid grid{.at = {20.5f, 30}, .pitch_x = 12.3f, .pitch_y = 9, .rows = 15, .columns = 20};
        grid.cells.assign(300, {CellLook::kValid, ColorRole::kA, 0, 0});
        return grid;
    }
};

TEST_F(FramePainterTest, TheFirstFrameIsDrawnWhole) {
    renderer_->forget();
    EXPECT_EQ(area(renderer_->render()), kWidth * kHeight);
}

TEST_F(FramePainterTest, AnUnchangedFrameIsNotDrawn) {
    const Drawing same = [&] {
        add_cell_grid(look_, grid());
        draw_text({10, 10}, "unchanged", {.color = look_.colors().ink});
    };
    show(same);
    EXPECT_TRUE(show(same).empty());
}

TEST_F(FramePainterTest, OnlyTheTilesOfAChangedCellAreDrawn) {
    CellGrid cells = grid();
    const Drawing draw = [&] { add_cell_grid(look_, cells); };
    show(draw);
    cells.cells[5 * 20 + 10].look = CellLook::kStale;
    const auto drawn = show(draw);
    const Rect cell = cell_rect(cells, 5, 10);
    EXPECT_TRUE(contains(drawn, static_cast<int>(cell.x), static_cast<int>(cell.y)));
    EXPECT_LE(area(drawn), 64 * 64);  // the cell is 12 x 9
    expect_as_drawn_whole();
}

// The moving cell is drawn anew at its new place, and the background at its old place.
TEST_F(FramePainterTest, AMovedShapeIsDrawnAtBothPlaces) {
    float left = 10;
    const Drawing draw = [&] {
        add_moving_cells(look_, {{{left, 100, 20, 20}, CellLook::kInFlight, ColorRole::kB}});
    };
    show(draw);
    left = 200;
    const auto drawn = show(draw);
    EXPECT_TRUE(contains(drawn, 20, 110));
    EXPECT_TRUE(contains(drawn, 210, 110));
    EXPECT_FALSE(contains(drawn, 110, 110));
    EXPECT_EQ(pixel(renderer_->read(), 20, 110), look_.colors().panel);
    EXPECT_EQ(pixel(renderer_->read(), 210, 110), look_.colors().b);
}

TEST_F(FramePainterTest, RemovedShapesAreErased) {
    show([&] { draw_list()->AddCircleFilled({50, 50}, 20, look_.colors().a); });
    ASSERT_EQ(pixel(renderer_->read(), 50, 50), look_.colors().a);
    EXPECT_FALSE(show([] {}).empty());
    EXPECT_EQ(pixel(renderer_->read(), 50, 50), look_.colors().panel);
}

// The second frame has the same shapes in another order.
TEST_F(FramePainterTest, AShapeThatComesToTheFrontIsDrawn) {
    const Rect below{40, 40, 60, 60}, above{60, 60, 60, 60};
    show([&] {
        fill_rect(below, look_.colors().a);
        fill_rect(above, look_.colors().b);
    });
    show([&] {
        fill_rect(above, look_.colors().b);
        fill_rect(below, look_.colors().a);
    });
    EXPECT_EQ(pixel(renderer_->read(), 80, 80), look_.colors().a);
}

TEST_F(FramePainterTest, AMovedClipRectangleIsFound) {
    for (const float right : {90.6f, 200.3f, 140.9f}) {
        show([&] {
            draw_list()->PushClipRect({20.4f, 20.6f}, {right, 150.7f});
            draw_list()->AddRectFilled({0, 0}, {kWidth, kHeight}, look_.colors().a);
            add_cell_grid(look_, grid());
            fill_rect({10, 100, 300, 90}, look_.colors().b);
            draw_list()->PopClipRect();
        });
        expect_as_drawn_whole();
    }
}

// The right edge moves by less than a tile.
TEST_F(FramePainterTest, ASlightlyMovedClipRectangleIsFound) {
    for (const float right : {70.0f, 90.0f, 80.0f}) {
        show([&] {
            draw_list()->PushClipRect({20, 20}, {right, 90});
            draw_list()->AddTriangleFilled({10, 10}, {200, 10}, {10, 200}, look_.colors().a);
            draw_list()->PopClipRect();
        });
        const ImU32 beyond = pixel(renderer_->read(), 75, 40);
        EXPECT_EQ(beyond, right > 75 ? look_.colors().a : look_.colors().panel) << right;
    }
}

// The magnifier shows pixels of the frame itself. The draw lists do not tell if these change.
TEST_F(FramePainterTest, AFrameWithAMagnifierIsDrawnWhole) {
    Magnifier magnifier;
    const Drawing draw = [&] {
        add_cell_grid(look_, grid());
        magnifier.draw(*draw_list(), look_, {100, 100}, 40, 2);
    };
    show(draw);
    EXPECT_EQ(area(show(draw)), kWidth * kHeight);
    EXPECT_EQ(area(show([] {})), kWidth * kHeight) << "and the one after it";
}

// The frame has shapes of every kind. Each frame changes one shape and one cell.
TEST_F(FramePainterTest, AnyFrameLooksAsDrawnWhole) {
    std::mt19937 random(7);
    const auto up_to = [&random](int most) {
        return static_cast<float>(random() % static_cast<unsigned>(most));
    };
    CellGrid cells = grid();
    struct Shape {
        int kind;
        Rect rect;
        ImU32 color;
    };
    std::vector<Shape> shapes(24);
    const auto change = [&](Shape& shape) {
        shape = {static_cast<int>(random() % 6),
                 {up_to(3 * kWidth) / 3 - 20, up_to(3 * kHeight) / 3 - 20, 5 + up_to(160) / 3,
                  5 + up_to(160) / 3},
                 IM_COL32(random() % 256, random() % 256, random() % 256, 60 + random() % 196)};
    };
    for (Shape& shape : shapes) change(shape);
    long drawn = 0;
    for (int frame = 0; frame < 200; ++frame) {
        change(shapes[random() % shapes.size()]);
        cells.cells[random() % cells.cells.size()].look = static_cast<CellLook>(random() % 17);
        drawn += area(show([&] {
            add_cell_grid(look_, cells);
            for (const auto& [kind, rect, color] : shapes) {
                if (kind == 0) draw_list()->AddRectFilled(rect.min(), rect.max(), color, 6);
                if (kind == 1) stroke_rect(rect, color, 1.5f, 3);
                if (kind == 2) draw_list()->AddLine(rect.min(), rect.max(), color, 2.5f);
                if (kind == 3) draw_text(rect.min(), "text 0.25", {.color = color});
                if (kind == 4) add_moving_cells(look_, {{rect, CellLook::kInFlight}});
                if (kind == 5) fill_rect({rect.x, 20, 150, 140}, color | IM_COL32_A_MASK);
            }
        }));
        const Image kept = renderer_->read();
        renderer_->forget();
        renderer_->render();
        ASSERT_EQ(kept.rgba, renderer_->read().rgba) << "frame " << frame;
    }
    EXPECT_LT(drawn, 200L * kWidth * kHeight / 2) << "parts, not everything";
}

}  // namespace
}  // namespace tilereel::frame_painter_test
