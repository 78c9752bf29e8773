// A comparison in the window, played in process.
#include <gtest/gtest.h>

#include "app/workbench/comparison.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_compare_test {
namespace {

struct CompareWindow : FrameWindow {
    explicit CompareWindow(float width = 1920, float height = 1080)
        : FrameWindow(small_request("08_tiled_b_transposed", 16, 16), width, height) {}
    void open(const char* row) {
        driver.press('c');
        driver.frames(2);
        driver.click(std::string("chip.compare.") + row);
        driver.frames(2);
    }
};

TEST(ComparePage, TheChipOpensAComparisonAndCShowsLeftThenRightThenBoth) {
    CompareWindow window;
    window.open("PAD 1");
    ASSERT_NE(window.bench.lock_step(), nullptr);
    EXPECT_TRUE(window.driver.has("stage.banks"));
    EXPECT_TRUE(window.driver.has("right.stage.banks"));
    EXPECT_TRUE(window.driver.has("compare.differences"));
    const float half = window.driver.rect_of("compare.left").w;
    window.driver.press('c');
    EXPECT_GT(window.driver.rect_of("compare.left").w, 1.5f * half);
    EXPECT_FALSE(window.driver.has("right.compare.right"));
    window.driver.press('c');
    EXPECT_FALSE(window.driver.has("compare.left"));
    EXPECT_GT(window.driver.rect_of("right.compare.right").w, 1.5f * half);
    window.driver.press('c');
    EXPECT_EQ(window.driver.rect_of("compare.left").w, half);
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.bench.comparing());
    EXPECT_TRUE(window.driver.has("timeline.track"));
}

TEST(ComparePage, OneTransportMovesBothSides) {
    CompareWindow window;
    window.open("PAD 1");
    window.driver.press(Key::kRight);
    window.finish_step();
    const LockStep& steps = *window.bench.lock_step();
    EXPECT_EQ(static_cast<Tick>(window.bench.common_position()), steps.entries()[0].end());
    const Rect track = window.driver.rect_of("compare.track.left");
    window.driver.drag({track.x + 0.1f * track.w, track.center().y},
                       {track.x + 0.5f * track.w, track.center().y},
                       [&] { EXPECT_TRUE(window.bench.scrubbing()); });
    EXPECT_FALSE(window.bench.scrubbing());
    EXPECT_NEAR(window.bench.position(),
                0.5 * static_cast<double>(window.bench.replay()->schedule().ticks),
                0.02 * static_cast<double>(window.bench.replay()->schedule().ticks) + 2);
    EXPECT_EQ(window.bench.other()->replay()->state().step,
              steps.entry_at(window.bench.common_position()).step[1]);
    window.driver.press('n');  // the left side's next conflict
    EXPECT_GT(window.bench.replay()->state().request.cost.bank_conflicts, 0u);
    window.driver.press(' ');
    window.driver.frames(20);
    EXPECT_TRUE(window.bench.playing());
    EXPECT_TRUE(window.bench.other()->playing());
    window.driver.press(Key::kEnd);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("sentence"));
}

// In a half of a narrow window the text has a shorter form ("32/32"), so that it is not cut.
TEST(ComparePage, TheNumberOfLanesOfARequestIsNotCut) {
    std::size_t found = 0;
    for (const Size size : {Size{1280, 720}, Size{1366, 768}}) {
        FrameWindow window(small_request("09_tiled", 32, 16), static_cast<float>(size.width),
                           static_cast<float>(size.height));
        Subject side = side_of(window.bench);
        side.tile = 8;
        window.bench.apply(Command{Compare{{}, side}});
        window.driver.frames(3);
        for (const DrawnText& drawn : texts_of([&] { window.driver.frame(); })) {
            if (drawn.text.find("of 32") == std::string::npos && drawn.text != "32/32") continue;
            ++found;
            EXPECT_FALSE(drawn.shortened) << drawn.text << " at " << size.width;
        }
    }
    EXPECT_GE(found, 1u);
}

// A click on a cell of the right picture moves both sides to its next access.
TEST(ComparePage, AClickOnTheRightPictureGoesToTheAccess) {
    CompareWindow window;
    window.open("PAD 1");
    const Rect a = window.driver.rect_of("right.stage.a");
    window.driver.click_at({a.x + 0.4f * a.w, a.y + 0.4f * a.h});
    window.driver.frames(2);
    const Replay& right = *window.bench.other()->replay();
    ASSERT_NE(right.state().step, kNoStep);
    const Step& step = right.schedule().steps[right.state().step];
    EXPECT_EQ(right.trace().arrays[right.trace().sites[step.site].array].name, "A");
    EXPECT_EQ(window.bench.lock_step()->entry_at(window.bench.common_position()).step[1],
              right.state().step);
}

// Words around the pictures are not cut, do not overlap and lie inside the window, at every size.
TEST(ComparePage, CanBeReadAtEverySize) {
    Faults faults;
    for (const Size size : {Size{1280, 720}, Size{1366, 768}, Size{1920, 1080}, Size{3840, 2160}})
        for (const int text : {14, 28}) {
            CompareWindow window(static_cast<float>(size.width), static_cast<float>(size.height));
            window.bench.apply(SetTextSize{text});
            const Rect screen{0, 0, static_cast<float>(size.width),
                              static_cast<float>(size.height)};
            const Subject own = side_of(window.bench);
            Subject pad = own, naive = own, tile = own;
            pad.pad = 1;
            naive.kernel = "02_naive";
            tile.tile = 4;
            for (const Subject& side : {pad, naive, tile}) {
                window.bench.apply(Command{Compare{{}, side}});
                window.driver.frames(3);
                for (const double share : {0.0, 0.4, 1.0}) {
                    ASSERT_NE(window.bench.lock_step(), nullptr) << window.bench.message();
                    const auto ticks = static_cast<double>(window.bench.lock_step()->ticks());
                    window.bench.apply(Command{SeekBoth{share * ticks, true}});
                    window.driver.frames(2);
                    auto texts = texts_of([&] { window.driver.frame(); });
                    // The pictures have tests of their own; here they are smaller.
                    const Rect head = window.driver.rect_of("compare.left");
                    const float foot = window.driver.rect_of("compare.track.left").y;
                    const Rect card = window.driver.rect_of("compare.differences");
                    std::erase_if(texts, [&](const DrawnText& drawn) {
                        const ImVec2 at = drawn.box.center();
                        return at.y > head.bottom() && at.y < foot - 60 * window.look.scale &&
                               !card.contains(at);
                    });
                    const Page page{texts, window.look, screen,
                                    side.kernel + ", " + std::to_string(size.width) + ", text " +
                                        std::to_string(text) + ", at " + std::to_string(share)};
                    page.find(faults);
                }
            }
        }
    faults.report();
}

}  // namespace
}  // namespace tilereel::frame_compare_test
