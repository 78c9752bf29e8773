// The whole frame while it plays. It is drawn only where it changes, and looks as if it were drawn
// whole.
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/shell/frame.h"
#include "app/ui/fonts/fonts.h"
#include "app/ui/frame/offscreen.h"
#include "tests/workbench/remembered_recordings.h"

namespace tilereel::frame_painting_test {
namespace {

constexpr int kWidth = 1366, kHeight = 768;
constexpr double kFrameSeconds = 1.0 / 30;

WorkbenchOptions options_of(const char* kernel, const KernelParameters& parameters) {
    WorkbenchOptions options;
    options.request.kernel = kernel;
    options.request.parameters = parameters;
    options.record_on_worker = false;
    options.record = remembered_recordings();
    return options;
}

class FramePaintingTest : public testing::Test {
  protected:
    void SetUp() override {
        auto made = OffscreenRenderer::create(kWidth, kHeight);
        if (!made) GTEST_SKIP() << "no picture can be made here: " << made.error().message;
        renderer_ = std::move(made).value();
    }
    void build(Workbench& workbench) {
        renderer_->build(kFrameSeconds, [&] {
            now_seconds_ += kFrameSeconds;
            draw_frame(workbench, state_,
                       look_of(workbench, kWidth, kHeight, now_seconds_, kFrameSeconds));
        });
    }
    void expect_as_drawn_whole(Workbench& workbench, int frames) {
        for (int frame = 0; frame < frames; ++frame) {
            build(workbench);
            renderer_->render();
            const Image kept = renderer_->read();
            renderer_->forget();
            renderer_->render();
            expect_same(kept, renderer_->read(), frame);
            if (HasFailure()) return;
        }
    }
    // The pictures are equal but for rounding: llvmpipe of Mesa 25 interpolates a clipped shape a
    // little differently, by one level in 3 of a million pixels.
    static void expect_same(const Image& kept, const Image& whole, int frame) {
        ASSERT_EQ(kept.rgba.size(), whole.rgba.size());
        constexpr int kMostRounded = kWidth * kHeight / 10'000;
        int rounded = 0;
        for (std::size_t i = 0; i < whole.rgba.size(); ++i) {
            const int difference = std::abs(int{kept.rgba[i]} - int{whole.rgba[i]});
            const std::size_t pixel = i / 4;
            ASSERT_LE(difference, 1)
                << "frame " << frame << " at " << pixel % kWidth << "," << pixel / kWidth;
            rounded += difference;
        }
        EXPECT_LE(rounded, kMostRounded) << "frame " << frame;
    }
    static void compare_with_tile_4(Workbench& workbench) {
        workbench.apply(Command{Compare{{},
                                        {.kernel = "09_tiled",
                                         .m = 16,
                                         .n = 16,
                                         .k = 16,
                                         .tile = 4,
                                         .pad = 0,
                                         .generation = "9.0"}}});
    }
    std::unique_ptr<OffscreenRenderer> renderer_;
    FrameState state_;
    double now_seconds_ = 0;
};

TEST_F(FramePaintingTest, APlayingComparisonLooksAsDrawnWhole) {
    Workbench workbench(options_of("09_tiled", {16, 16, 16, 8, 0}));
    compare_with_tile_4(workbench);
    expect_as_drawn_whole(workbench, 60);
    workbench.apply(SetTheme{true});
    expect_as_drawn_whole(workbench, 3);
    workbench.apply(SetTextSize{28});
    expect_as_drawn_whole(workbench, 10);
    workbench.apply(SetMode{WindowMode::kPatterns});
    expect_as_drawn_whole(workbench, 3);
}

// Parts that a frame leaves out are drawn a few frames later, and nothing is missing when the
// replay stops.
TEST_F(FramePaintingTest, APostponedPartIsDrawnAFewFramesLater) {
    constexpr int kFrames = 240, kMostLate = 4;
    Workbench workbench(options_of("09_tiled", {16, 16, 16, 8, 0}));
    compare_with_tile_4(workbench);
    int late = 0, postponed = 0;
    for (int frame = 0; frame < kFrames; ++frame) {
        build(workbench);
        renderer_->render(Painting::kOnTime);
        late = renderer_->is_unfinished() ? late + 1 : 0;
        postponed += late > 0;
        ASSERT_LE(late, kMostLate) << "frame " << frame;
    }
    EXPECT_GT(postponed, 0) << "of " << kFrames;
    workbench.apply(PlayPause{});
    for (int frame = 0; frame < 30 || renderer_->is_unfinished(); ++frame) {
        build(workbench);
        renderer_->render(Painting::kOnTime);
        ASSERT_LE(frame, 60);
    }
    const Image kept = renderer_->read();
    renderer_->forget();
    renderer_->render();
    expect_same(kept, renderer_->read(), kFrames);
}

TEST_F(FramePaintingTest, APlayingPipelineLooksAsDrawnWhole) {
    Workbench workbench(options_of("19_async_pipeline", {32, 32, 64, 16, 0}));
    expect_as_drawn_whole(workbench, 40);
}

TEST_F(FramePaintingTest, APlayingRegisterTileLooksAsDrawnWhole) {
    Workbench workbench(options_of("18_warp_tiled", {32, 32, 16, 32, 0}));
    expect_as_drawn_whole(workbench, 40);
}

// Rasterizing a font takes longer than one refresh of the display.
TEST_F(FramePaintingTest, FlyingValuesNeedOnlyFontsThatAreRasterized) {
    Workbench workbench(options_of("09_tiled", {16, 16, 16, 8, 0}));
    compare_with_tile_4(workbench);
    for (int frame = 0; frame < 5; ++frame) build(workbench);
    for (int frame = 5; frame < 150; ++frame) {
        build(workbench);
        ASSERT_FALSE(fonts_wanted()) << "frame " << frame;
    }
}

}  // namespace
}  // namespace tilereel::frame_painting_test
