// Parts for which a software renderer has no time are drawn with the next frames, in turn.
#include <gtest/gtest.h>

#include <array>

#include "app/ui/draw/draw.h"
#include "app/ui/frame/offscreen.h"
#include "tests/ui/offscreen_fixture.h"

namespace tilereel::frame_on_time_test {
namespace {

constexpr int kWidth = 1600, kHeight = 1000;
constexpr int kMostPixels = 180'000;  // in one frame

// The frame has nine boxes in three rows. A box is too large to be drawn with a second one.
class FrameOnTimeTest : public testing::Test {
  protected:
    static constexpr int kBoxWidth = 490, kBoxHeight = 300;

    void SetUp() override {
        auto made = OffscreenRenderer::create(kWidth, kHeight);
        if (!made) GTEST_SKIP() << "no picture can be made here: " << made.error().message;
        renderer_ = std::move(made).value();
    }
    static Rect box(int number) {
        return {static_cast<float>(number % 3 * kWidth / 3 + 20),
                static_cast<float>(number / 3 * kHeight / 3 + 20), kBoxWidth, kBoxHeight};
    }
    // Returns the parts that were drawn anew.
    template <std::size_t count>
    std::vector<PixelRect> show(const std::array<int, count>& boxes, unsigned shade,
                                Painting painting) {
        renderer_->build(0.1, [&] {
            draw_in_window([&] {
                fill_rect({0, 0, kWidth, kHeight}, look_.colors().panel);
                for (const int number : boxes)
                    fill_rect(box(number), IM_COL32(shade, 255 - shade, 128, 255));
            });
        });
        return renderer_->render(painting);
    }
    static bool covers(const std::vector<PixelRect>& parts, int number) {
        const Rect at = box(number);
        const int x = static_cast<int>(at.x) + kBoxWidth / 2;
        const int y = static_cast<int>(at.y) + kBoxHeight / 2;
        return std::ranges::any_of(parts, [&](const PixelRect& part) {
            return !intersection(part, {x, y, x + 1, y + 1}).empty();
        });
    }
    static int area(const std::vector<PixelRect>& parts) {
        int pixels = 0;
        for (const PixelRect& part : parts)
            pixels += (part.right - part.left) * (part.bottom - part.top);
        return pixels;
    }
    void expect_as_drawn_whole() {
        const Image kept = renderer_->read();
        renderer_->forget();
        renderer_->render();
        EXPECT_EQ(kept.rgba, renderer_->read().rgba);
    }
    std::unique_ptr<OffscreenRenderer> renderer_;
    Look look_;
};

constexpr std::array kThree{0, 4, 8};

TEST_F(FrameOnTimeTest, PixelsBeyondTheLimitAreDrawnWithTheNextFrames) {
    show(kThree, 10, Painting::kWhole);
    const int all = area(show(kThree, 20, Painting::kWhole));
    ASSERT_GT(all, kMostPixels);
    int drawn = area(show(kThree, 30, Painting::kOnTime));
    EXPECT_GT(drawn, 0);
    EXPECT_LE(drawn, kMostPixels);
    EXPECT_TRUE(renderer_->is_unfinished());
    for (int frame = 0; frame < 3 && renderer_->is_unfinished(); ++frame)
        drawn += area(show(kThree, 30, Painting::kOnTime));
    EXPECT_FALSE(renderer_->is_unfinished());
    EXPECT_EQ(drawn, all) << "each part once";
    expect_as_drawn_whole();
}

TEST_F(FrameOnTimeTest, BoxesThatChangeInEachFrameTakeTurns) {
    show(kThree, 10, Painting::kWhole);
    std::array<int, 9> drawn{};
    for (unsigned shade = 11; shade <= 22; ++shade) {
        const std::vector<PixelRect> parts = show(kThree, shade, Painting::kOnTime);
        for (const int number : kThree)
            drawn[static_cast<std::size_t>(number)] += covers(parts, number);
    }
    for (const int number : kThree)
        EXPECT_EQ(drawn[static_cast<std::size_t>(number)], 4) << "box " << number;
}

TEST_F(FrameOnTimeTest, ANewPageIsDrawnAtOnce) {
    constexpr std::array kAll{0, 1, 2, 3, 4, 5, 6, 7, 8};
    show(kAll, 10, Painting::kWhole);
    show(kAll, 20, Painting::kOnTime);
    EXPECT_FALSE(renderer_->is_unfinished());
    expect_as_drawn_whole();
}

TEST_F(FrameOnTimeTest, AFullPaintDrawsEverything) {
    show(kThree, 10, Painting::kWhole);
    show(kThree, 20, Painting::kOnTime);
    ASSERT_TRUE(renderer_->is_unfinished());
    show(kThree, 20, Painting::kWhole);
    EXPECT_FALSE(renderer_->is_unfinished());
    expect_as_drawn_whole();
}

}  // namespace
}  // namespace tilereel::frame_on_time_test
