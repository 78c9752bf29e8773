#include "app/ui/draw/draw.h"

#include <vector>

#include "app/ui/draw/wrap_text.h"
#include "app/ui/fonts/fonts.h"
#include "app/ui/widgets/widget_registry.h"
#include "tests/ui/offscreen_fixture.h"

namespace tilereel::draw_test {
namespace {

TEST(WithCommas, SeparatesThousands) {
    EXPECT_EQ(with_commas(0), "0");
    EXPECT_EQ(with_commas(999), "999");
    EXPECT_EQ(with_commas(1000), "1,000");
    EXPECT_EQ(with_commas(34944), "34,944");
    EXPECT_EQ(with_commas(1048576), "1,048,576");
    EXPECT_EQ(with_commas(18446744073709551615u), "18,446,744,073,709,551,615");
}

class DrawTest : public OffscreenTest {
  protected:
    struct Box {
        int left = 1 << 20, top = 1 << 20, right = -1, bottom = -1;
    };
    // The smallest box around the pixels that are not the panel's.
    Box inked(const Image& image) {
        Box box;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) {
                if (distance(pixel(image, x, y), look_.colors().panel) < 90) continue;
                box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x),
                       std::max(box.bottom, y)};
            }
        return box;
    }
};

// Capitals of Inter are 0.727 em high, those of JetBrains Mono 0.73 em (from the fonts' own
// tables).
TEST_F(DrawTest, TextStandsCentredOnItsCapitals) {
    for (const Face face : {Face::kRegular, Face::kBold, Face::kMono})
        for (const float px : {12.0f, 14.0f, 15.0f, 20.0f, 28.0f, 44.0f}) {
            const Image image = render([&] {
                draw_text({160, 100}, "HEH", {face, px, look_.colors().ink, Align::kCenter});
            });
            const Box box = inked(image);
            EXPECT_NEAR((box.top + box.bottom + 1) / 2.0, 100.0, 1.0) << px;
            EXPECT_NEAR(box.bottom + 1 - box.top, 0.73 * px, 1.3) << px;
            EXPECT_NEAR((box.left + box.right + 1) / 2.0, 160.0, 1.6) << px;
        }
}

TEST_F(DrawTest, AlignsLeftAndRight) {
    const auto box_of = [&](Align align) {
        return inked(render([&] {
            draw_text({160, 100}, "HHHH", {Face::kRegular, 20, look_.colors().ink, align});
        }));
    };
    EXPECT_GE(box_of(Align::kLeft).left, 160);
    EXPECT_LE(box_of(Align::kLeft).left, 164);
    EXPECT_LE(box_of(Align::kRight).right, 160);
    EXPECT_GE(box_of(Align::kRight).right, 156);
}

TEST_F(DrawTest, FitCutsWithAnEllipsis) {
    float whole = 0, cut = 0, tiny = 0;
    render([&] {
        const TextStyle style{Face::kRegular, 14, look_.colors().ink};
        whole = draw_text_fit({0, 20}, 300, "short", style);
        cut = draw_text_fit({0, 40}, 80, "a sentence that is far too long", style);
        tiny = draw_text_fit(
            {0, 60}, 60,
            "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9",
            style);
        EXPECT_FLOAT_EQ(whole, text_width("short", Face::kRegular, 14));
    });
    EXPECT_LE(cut, 80);
    EXPECT_GT(cut, 50);
    EXPECT_LE(tiny, 60);
    EXPECT_GT(tiny, 20);
}

// What a compiler says has lines of its own, some of them indented.
TEST_F(DrawTest, ANewlineBeginsALine) {
    std::vector<std::string_view> lines, narrow;
    render([&] {
        lines = wrap_text("it says:\nerror: no\n    3 | x\n", 500, Face::kRegular, 14);
        narrow = wrap_text("error:\nnothing", 1, Face::kRegular, 14);
    });
    EXPECT_EQ(lines, (std::vector<std::string_view>{"it says:", "error: no", "3 | x"}));
    for (const std::string_view line : narrow) EXPECT_EQ(line.find('\n'), line.npos);
}

TEST_F(DrawTest, AVeryLongNameIsShortened) {
    const std::string name(20000, 'k');
    render([&] {
        const TextStyle style{Face::kRegular, 14, 0xff000000};
        for (int i = 0; i < 10; ++i) {
            const float width = draw_text_fit({0, 60}, 100, name, style);
            EXPECT_LE(width, 100);
            EXPECT_GT(width, 80);
        }
    });
}

TEST_F(DrawTest, MonospacedFiguresAreAsWideAsTheFontSays) {
    float width = 0;
    render([&] { width = text_width("0123456789", Face::kMono, 20); });
    EXPECT_NEAR(width, 10 * 0.6 * 20, 0.5);
}

TEST_F(DrawTest, BordersLieInside) {
    const Image image = render([&] { stroke_rect({50, 50, 40, 30}, look_.colors().ink, 1); });
    EXPECT_LE(distance(pixel(image, 50, 60), look_.colors().ink), 8);
    EXPECT_LE(distance(pixel(image, 89, 60), look_.colors().ink), 8);
    EXPECT_LE(distance(pixel(image, 60, 50), look_.colors().ink), 8);
    EXPECT_LE(distance(pixel(image, 49, 60), look_.colors().panel), 8);
    EXPECT_LE(distance(pixel(image, 51, 60), look_.colors().panel), 8);
    EXPECT_LE(distance(pixel(image, 90, 60), look_.colors().panel), 8);
}

// A large fill is drawn in another way than a small one, but must look the same.
TEST_F(DrawTest, LargeFillsLookAsDrawnByDearImGui) {
    const auto scene = [&](bool ours, const Rect& rect, float radius) {
        return render([&] {
            draw_list()->PushClipRect({5, 7}, {301, 190}, true);
            if (ours)
                fill_rect(rect, look_.colors().a, radius);
            else
                draw_list()->AddRectFilled(rect.min(), rect.max(), look_.colors().a, radius);
            fill_rect({40, 40, 20, 20}, look_.colors().b);  // the last one lies on top
            draw_list()->PopClipRect();
        });
    };
    for (const float radius : {0.0f, 6.0f, 10.0f, 12.5f})
        for (const Rect& rect : {Rect{10, 10, 280, 160}, Rect{-20, -10, 400, 300},
                                 Rect{10.5f, 10, 280, 160}, Rect{10, 10, 30, 30}}) {
            EXPECT_EQ(scene(true, rect, radius).rgba, scene(false, rect, radius).rgba)
                << "radius " << radius << " at " << rect.x << ' ' << rect.w;
        }
}

TEST_F(DrawTest, TranslucentFillsBlend) {
    const Image image = render([&] { fill_rect({0, 0, 320, 200}, IM_COL32(255, 255, 255, 128)); });
    EXPECT_LE(
        distance(pixel(image, 100, 100), mix(look_.colors().panel, IM_COL32_WHITE, 128.0f / 255)),
        2);
}

TEST_F(DrawTest, HatchStaysInside) {
    const DrawTest::Box box = inked(render([&] {
        hatch_rect({60, 70, 80, 20}, look_.colors().ink, 4);
    }));
    EXPECT_GE(box.left, 59);
    EXPECT_GE(box.top, 69);
    EXPECT_LE(box.right, 140);
    EXPECT_LE(box.bottom, 90);
}

TEST_F(DrawTest, EveryIconLeavesInkInItsBox) {
    for (int i = 0; i <= static_cast<int>(Icon::kClose); ++i) {
        const Box box = inked(render([&] {
            draw_icon(static_cast<Icon>(i), {100, 100}, 20, look_.colors().ink, 2);
        }));
        EXPECT_GT(box.right, box.left) << i;
        EXPECT_GE(box.left, 88) << i;
        EXPECT_LE(box.right, 111) << i;
        EXPECT_GE(box.top, 88) << i;
        EXPECT_LE(box.bottom, 111) << i;
    }
}

TEST_F(DrawTest, MeasuringDrawsAndRegistersNothing) {
    float drawn = 0, measured_width = 0;
    const auto part = [&] {
        fill_rect({40, 40, 60, 60}, look_.colors().a);
        register_widget("part", {40, 40, 60, 60});
        return draw_text({40, 120}, "words", {Face::kRegular, 20, look_.colors().ink});
    };
    Rect at;
    const Image empty = render([] {});
    const Image image = render([&] {
        measured_width = measured(part);
        EXPECT_FALSE(find_widget("part", at));
    });
    EXPECT_EQ(image.rgba, empty.rgba);
    EXPECT_NE(render([&] { drawn = part(); }).rgba, empty.rgba);
    EXPECT_TRUE(find_widget("part", at));
    EXPECT_EQ(measured_width, drawn);
}

}  // namespace
}  // namespace tilereel::draw_test
