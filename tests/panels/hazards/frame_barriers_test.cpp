// Leaving a barrier out in the window: the source's control and key.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/ui/draw/drawn_text.h"
#include "tests/panels/hazards/hazard_window.h"

namespace tilereel::frame_barriers_test {
namespace {

TEST(HazardSource, EachBarrierHasAControlThatLeavesItOutAndPutsItBack) {
    FrameWindow window(small_request("09_tiled"));
    for (const std::size_t barrier : {0u, 1u}) {
        const int line = barrier_line("09_tiled", barrier);
        window.driver.click(barrier_control(line));
        EXPECT_EQ(left_out(window), static_cast<std::uint32_t>(line));
        window.driver.click(barrier_control(line));
        EXPECT_EQ(left_out(window), 0u);
    }
}

TEST(HazardSource, AKernelWithoutBarriersHasNoControl) {
    FrameWindow window(small_request("02_naive"));
    for (int line = 1; line < 40; ++line) EXPECT_FALSE(window.driver.has(barrier_control(line)));
}

TEST(HazardSource, TheControlIsThereInANarrowWindowToo) {
    FrameWindow window(small_request("09_tiled"), 1280, 720);
    window.bench.apply(SetTextSize{28});
    window.driver.frames(3);
    window.driver.click("side.source");
    window.driver.frames(60);
    const int line = barrier_line("09_tiled", 0);
    // The panel follows the running line; the wheel brings the barrier into view.
    for (int i = 0; i < 20 && !window.driver.has(barrier_control(line)); ++i)
        window.driver.scroll(window.driver.rect_of("source.code").center(), -1);
    window.driver.click(barrier_control(line));
    EXPECT_EQ(left_out(window), static_cast<std::uint32_t>(line));
}

TEST(HazardKeys, ShiftBLeavesOutOneBarrierAfterTheOtherThenNone) {
    FrameWindow window(small_request("09_tiled"));
    for (const int line : {barrier_line("09_tiled", 0), barrier_line("09_tiled", 1), 0}) {
        window.driver.press('b', true);
        EXPECT_EQ(left_out(window), static_cast<std::uint32_t>(line));
    }
}

TEST(HazardKeys, TheTipOfTheControlNamesTheKey) {
    FrameWindow window(small_request("09_tiled"));
    const int line = barrier_line("09_tiled", 0);
    for (const int removed : {0, line}) {  // the control leaves the barrier out, then puts it back
        leave_out(window, removed);
        window.driver.hover(barrier_control(line));
        window.driver.frames(3, 0.5);  // tips appear after a while
        const Rect tip = window.driver.rect_of("tip");
        std::vector<DrawnText> drawn;
        record_drawn_text(&drawn);
        window.driver.frames(1);
        record_drawn_text(nullptr);
        EXPECT_TRUE(std::ranges::any_of(drawn, [&](const DrawnText& text) {
            return tip.contains(text.box.center()) &&
                   text.text.find("Shift+B") != std::string::npos;
        })) << removed;
    }
}

TEST(HazardKeys, ShiftBShowsAMessageIfTheKernelHasNoBarrier) {
    FrameWindow window(small_request("02_naive"));
    window.driver.press('b', true);
    EXPECT_TRUE(window.driver.has("message.dismiss"));
    EXPECT_EQ(left_out(window), 0u);
}

}  // namespace
}  // namespace tilereel::frame_barriers_test
