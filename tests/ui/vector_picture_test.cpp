// A vector picture shows what OpenGL draws: the same frame by both, pixel by pixel.
#include "app/ui/frame/vector_picture.h"

#include <cairo.h>
#include <gmock/gmock.h>

#include <optional>
#include <string>

#include "app/ui/cells/cells.h"
#include "app/ui/draw/plot.h"
#include "tests/ui/offscreen_fixture.h"

namespace tilereel::vector_picture_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class VectorPictureTest : public OffscreenTest {
  protected:
    using Drawing = std::function<void()>;

    Image painted(const Drawing& draw) {
        const KeptShapes keep;
        render(draw);
        cairo_surface_t* const surface =
            cairo_image_surface_create(CAIRO_FORMAT_ARGB32, kWidth, kHeight);
        cairo_t* const picture = cairo_create(surface);
        paint_frame(picture);
        cairo_destroy(picture);
        cairo_surface_flush(surface);
        Image image;
        image.width = kWidth;
        image.height = kHeight;
        const unsigned char* const data = cairo_image_surface_get_data(surface);
        for (int i = 0; i < kWidth * kHeight; ++i)  // blue comes first
            image.rgba.insert(image.rgba.end(),
                              {data[4 * i + 2], data[4 * i + 1], data[4 * i], data[4 * i + 3]});
        cairo_surface_destroy(surface);
        return image;
    }

    // The mean difference of the channels in a rectangle.
    static double difference(const Image& a, const Image& b, const Rect& in) {
        double sum = 0;
        for (int y = static_cast<int>(in.y); y < static_cast<int>(in.bottom()); ++y)
            for (int x = static_cast<int>(in.x); x < static_cast<int>(in.right()); ++x)
                for (int channel = 0; channel < 3; ++channel)
                    sum += std::abs(int{a.at(x, y)[channel]} - int{b.at(x, y)[channel]});
        return sum / (3.0 * in.w * in.h);
    }

    // The same, of a drawing by OpenGL and by the vector picture. It must not be empty.
    double difference(const Drawing& draw, const Rect& in) {
        const Image drawn = render(draw), vector = painted(draw);
        const Image empty = render([] {});
        EXPECT_GT(difference(drawn, empty, in), 1.5) << "nothing is drawn";
        return difference(drawn, vector, in);
    }

    std::string file(VectorKind kind, const Drawing& draw) {
        const KeptShapes keep;
        render(draw);
        const auto bytes = vector_picture(kind, {10, 20, 200, 100});
        EXPECT_TRUE(bytes);
        return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
    }
};

struct NamedLook {
    CellLook look;
    const char* name;
};
constexpr NamedLook kLooks[] = {
    {CellLook::kIdle, "idle"},
    {CellLook::kNeverWritten, "never written"},
    {CellLook::kStale, "stale"},
    {CellLook::kValid, "valid"},
    {CellLook::kBeingCopied, "being copied"},
    {CellLook::kCopied, "copied"},
    {CellLook::kInFlight, "in flight"},
    {CellLook::kOff, "off"},
    {CellLook::kConflictCurrent, "conflict, served"},
    {CellLook::kConflictWaiting, "conflict, waiting"},
    {CellLook::kBand, "band"},
    {CellLook::kPartial, "partial"},
    {CellLook::kSolid, "solid"},
    {CellLook::kPartialBar, "partial, bar"},
    {CellLook::kNotLoaded, "not loaded"},
    {CellLook::kStaleNotLoaded, "stale, not loaded"},
};

TEST_F(VectorPictureTest, EachCellLookMatchesTheShaders) {
    for (const auto& [look, name] : kLooks)
        for (const auto& [pitch_x, pitch_y] : {std::pair(40.0f, 40.0f), std::pair(61.0f, 27.0f)}) {
            CellGrid grid{
                .at = {50, 50}, .pitch_x = pitch_x, .pitch_y = pitch_y, .rows = 2, .columns = 3};
            grid.cells.assign(6, {look, ColorRole::kB, 100, 0});
            grid.cells[4].dim = 128;
            const double far = difference([&] { add_cell_grid(look_, grid); },
                                          {46, 46, 3 * pitch_x + 8, 2 * pitch_y + 8});
            EXPECT_LE(far, 3.0) << name << " at " << pitch_x << " x " << pitch_y;
        }
}

TEST_F(VectorPictureTest, MovingCellsMatchTheShaders) {
    for (const CellLook look :
         {CellLook::kInFlight, CellLook::kConflictCurrent, CellLook::kValid}) {
        const std::vector<MovingCell> cells = {
            {{60, 60, 40, 40}, look, ColorRole::kA, 255, 4},
            {{120.5f, 62.25f, 31, 20}, look, ColorRole::kC, 128, 4}};
        const double far = difference([&] { add_moving_cells(look_, cells); }, {50, 50, 120, 60});
        EXPECT_LE(far, 2.0) << static_cast<int>(look);
    }
}

TEST_F(VectorPictureTest, ShapesTextAndIconsMatchTheWindow) {
    const Palette& colors = look_.colors();
    const std::pair<const char*, Drawing> drawings[] = {
        {"fill",
         [&] {
             fill_rect({20, 20, 90, 50}, colors.a, 8);
         }},
        {"outline",
         [&] {
             stroke_rect({20, 20, 90, 50}, colors.b, 3, 8);
         }},
        {"corners",
         [&] {
             stroke_rect({20, 20, 90, 50}, colors.b, 4);
         }},
        {"dashes",
         [&] {
             dashed_rect({20, 20, 90, 50}, colors.c, 3, 6);
         }},
        {"hatch",
         [&] {
             hatch_rect({20, 20, 90, 50}, colors.ink, 6);
         }},
        {"large fill",
         [&] {
             fill_rect({0, 0, 320, 190}, colors.c);
         }},
        {"icons",
         [&] {
             draw_icon(Icon::kCompute, {40, 45}, 36, colors.ink, 3);
             draw_icon(Icon::kPlay, {85, 45}, 36, colors.ink, 3);
         }},
        {"clipped",
         [&] {
             draw_list()->PushClipRect({30, 30}, {70, 60}, true);
             fill_rect({0, 0, 300, 300}, colors.a, 3);
             draw_list()->PopClipRect();
         }},
        {"text",
         [&] {
             draw_text({20, 45}, "Wavefront 8", {Face::kBold, 30, colors.ink});
         }},
        {"code",
         [&] {
             draw_text({110, 45}, "As[ty][k]", {Face::kMono, 24, colors.ink, Align::kRight});
         }},
    };
    for (const auto& [name, draw] : drawings)
        EXPECT_LE(difference(draw, {16, 16, 100, 60}), 9.0) << name;
}

// A square of a translucent colour has no seam where its triangles meet.
TEST_F(VectorPictureTest, TrianglesOfOneShapeHaveNoSeam) {
    const Image image = painted([]() {
        draw_list()->AddRectFilled({40, 40}, {140, 100}, IM_COL32(255, 0, 0, 128), 30);
    });
    const ImU32 middle = pixel(image, 100, 60);
    for (int x = 60; x < 120; ++x)
        for (int y = 45; y < 95; ++y) EXPECT_LE(distance(pixel(image, x, y), middle), 1);
}

TEST_F(VectorPictureTest, FilesHaveTheirFormat) {
    const Drawing draw = [&] {
        draw_text({30, 50}, "bank 17 <&>", {Face::kRegular, 20, look_.colors().ink});
    };
    const std::string svg = file(VectorKind::kSvg, draw);
    EXPECT_THAT(svg, StartsWith("<?xml"));
    EXPECT_THAT(svg, HasSubstr("width=\"200"));
    EXPECT_THAT(svg, HasSubstr("height=\"100"));
    EXPECT_THAT(svg, EndsWith("</svg>\n"));
    EXPECT_EQ(svg.find("<image"), std::string::npos) << "pixels in a vector picture";
    const std::string pdf = file(VectorKind::kPdf, draw);
    EXPECT_THAT(pdf, StartsWith("%PDF-1.4"));
    EXPECT_THAT(pdf, HasSubstr("/MediaBox [ 0 0 150 75 ]"));  // points
    EXPECT_THAT(pdf, HasSubstr("/FontFile"));                 // its text is text
}

}  // namespace
}  // namespace tilereel::vector_picture_test
