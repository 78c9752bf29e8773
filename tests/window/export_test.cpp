// Pictures: the written files, and the files that remain after a failure.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/ui/theme.h"
#include "tests/window/export_fixture.h"

namespace tilereel::export_test {
namespace {

TEST_F(ExportTest, AnotherGenerationIsAnotherPicture) {
    PictureRequest old = small();
    old.generation = find_generation("1.0");
    ASSERT_NE(old.generation, nullptr);
    if (!made(export_png(small(), folder_ / "new.png"))) GTEST_SKIP() << "no EGL";
    ASSERT_TRUE(made(export_png(old, folder_ / "old.png")));
    EXPECT_NE(load(folder_ / "new.png").rgb, load(folder_ / "old.png").rgb);
}

TEST_F(ExportTest, PngHasTheSizeAskedForAndManyColours) {
    if (!made(export_png(small(), folder_ / "a.png"))) GTEST_SKIP() << "no EGL";
    const Picture picture = load(folder_ / "a.png");
    EXPECT_EQ(picture.width, 960);
    EXPECT_EQ(picture.height, 540);
    std::set<std::uint32_t> colours;
    for (std::size_t i = 0; i + 2 < picture.rgb.size(); i += 3)
        colours.insert(picture.rgb[i] << 16 | picture.rgb[i + 1] << 8 | picture.rgb[i + 2]);
    EXPECT_GT(colours.size(), 100u);
    EXPECT_TRUE(colours.contains(0x12161D)) << "the dark panel";
    EXPECT_EQ(files(), 1);
}

TEST_F(ExportTest, TheSameRequestGivesTheSamePicture) {
    PictureRequest request = small();
    request.tick = 9;
    if (!made(export_png(request, folder_ / "a.png"))) GTEST_SKIP() << "no EGL";
    ASSERT_TRUE(export_png(request, folder_ / "b.png"));
    EXPECT_EQ(load(folder_ / "a.png").rgb, load(folder_ / "b.png").rgb);
    request.tick = 12;
    ASSERT_TRUE(export_png(request, folder_ / "c.png"));
    EXPECT_NE(load(folder_ / "a.png").rgb, load(folder_ / "c.png").rgb);
}

TEST_F(ExportTest, LightThemeHasAWhitePanel) {
    PictureRequest request = small();
    request.look.light = true;
    if (!made(export_png(request, folder_ / "a.png"))) GTEST_SKIP() << "no EGL";
    const Picture picture = load(folder_ / "a.png");
    long white = 0;
    for (std::size_t i = 0; i + 2 < picture.rgb.size(); i += 3)
        white += picture.rgb[i] == 255 && picture.rgb[i + 1] == 255 && picture.rgb[i + 2] == 255;
    EXPECT_GT(white, 960 * 540 / 4);
}

TEST_F(ExportTest, WrongCallsSayWhatToDo) {
    const auto kind_of = [&](PictureRequest request) {
        const Status status = export_png(std::move(request), folder_ / "a.png");
        EXPECT_FALSE(status);
        return status ? ErrorKind::kFailed : status.error().kind;
    };
    PictureRequest kernel = small();
    kernel.request.kernel = "no_such";
    EXPECT_EQ(kind_of(kernel), ErrorKind::kWrongCall);
    PictureRequest size = small();
    size.look.width = 100000;
    EXPECT_EQ(kind_of(size), ErrorKind::kWrongCall);
    PictureRequest block = small();
    block.block_x = 2;  // the grid is 2 x 2
    EXPECT_EQ(kind_of(block), ErrorKind::kWrongCall);
    PictureRequest uneven = small();
    uneven.request.parameters.k = 7;
    EXPECT_EQ(kind_of(uneven), ErrorKind::kWrongCall);
    EXPECT_EQ(files(), 0);
}

TEST_F(ExportTest, NothingIsLeftWhereAPictureCannotBeWritten) {
    const Image image{2, 1, {1, 2, 3, 255, 4, 5, 6, 255}};
    EXPECT_FALSE(save_png(image, folder_ / "missing" / "a.png"));
    std::filesystem::create_directories(folder_ / "taken.png");
    EXPECT_FALSE(save_png(image, folder_ / "taken.png"));
    EXPECT_EQ(files(), 1);
    EXPECT_TRUE(save_png(image, folder_ / "b.png"));
    EXPECT_EQ(load(folder_ / "b.png").rgb, (std::vector<unsigned char>{1, 2, 3, 4, 5, 6}));
}

// Of two bars, that of cuBLAS is the longer one, and fills more than a quarter of the width.
TEST_F(ExportTest, APictureOfALessonsRaceHasItsBarsAtFullLength) {
    const std::filesystem::path file = folder_ / "lesson.toml";
    std::ofstream(file) << "title = 'Race'\n[[scene]]\ntitle = 'Bars'\n"
                           "race = ['02_naive TILE 32', 'cublas']\nsize = 4096\n";
    LessonPictureRequest request{.file = file, .look = {.width = 960, .height = 540}};
    request.tools.race = TILEREEL_SOURCE_DIR "/assets/races/h100_ladder.json";
    if (!made(export_lesson_png(request, folder_ / "a.png"))) GTEST_SKIP() << "no EGL";
    const Picture picture = load(folder_ / "a.png");
    const ImU32 bar = palette(Theme::kDark).ink3;  // of a reference
    int longest = 0, run = 0;
    for (std::size_t i = 0; i + 2 < picture.rgb.size(); i += 3) {
        const bool same = picture.rgb[i] == (bar & 0xFF) && picture.rgb[i + 1] == (bar >> 8 & 0xFF);
        run = same ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    EXPECT_GT(longest, 960 / 4);
}

}  // namespace
}  // namespace tilereel::export_test
