// The presenter's tools: full picture, curtain, pen, spotlight and magnifier.
#include <gtest/gtest.h>

#include "app/panels/panel_memory.h"
#include "tests/panels/frame_window.h"

namespace tilereel::frame_presenter_test {
namespace {

TEST(Presenter, HidesWhatSurroundsThePicture) {
    FrameWindow window;
    const float stage = window.driver.rect_of("stage.c").w;
    window.driver.press(Key::kF5);
    window.driver.frames(3);
    EXPECT_TRUE(window.bench.view().presenting);
    EXPECT_TRUE(window.bench.view().full_screen);
    for (const char* name : {"tab.replay", "chip.kernel", "source.code", "transport.play"})
        EXPECT_FALSE(window.driver.has(name)) << name;
    EXPECT_GT(window.driver.rect_of("stage.c").w, stage);
    const double before = window.bench.position();
    window.driver.press(Key::kPageDown);
    window.finish_step();
    EXPECT_GT(window.bench.position(), before);
    window.driver.press(Key::kF5);
    EXPECT_FALSE(window.bench.view().presenting);
    EXPECT_FALSE(window.bench.view().full_screen);
    EXPECT_TRUE(window.driver.has("tab.replay"));
}

// B and the full stop blacken, W whitens; the key that opens the curtain does nothing else.
TEST(Presenter, DrawsACurtain) {
    FrameWindow window;
    window.driver.press(Key::kF5);
    for (const char key : {'b', '.', 'w'}) {
        window.driver.press(key);
        EXPECT_EQ(window.bench.view().curtain, key == 'w' ? Curtain::kWhite : Curtain::kBlack);
        EXPECT_TRUE(window.driver.has("presenter.curtain"));
        const double before = window.bench.position();
        window.driver.press(Key::kPageDown);
        window.finish_step();
        EXPECT_EQ(window.bench.view().curtain, Curtain::kNone);
        EXPECT_EQ(window.bench.position(), before);
    }
}

// The pen takes the pointer from the controls for the frame only, also where a picture has a single
// view of a race.
TEST(Presenter, APenLeavesThePointerWhereItIs) {
    for (const bool race_view_only : {false, true}) {
        FrameWindow window;
        window.driver.press(Key::kF5);
        window.driver.press('d');
        window.state.race_view_only = race_view_only;
        window.driver.move_to({300, 200});
        window.driver.frames(3);
        EXPECT_EQ(ImGui::GetIO().MousePos.x, 300) << race_view_only;
        EXPECT_EQ(ImGui::GetIO().MousePos.y, 200) << race_view_only;
    }
}

TEST(Presenter, APenDrawsAndNothingElseReacts) {
    FrameWindow window;
    window.driver.press(Key::kF5);
    window.driver.press('d');
    EXPECT_EQ(window.bench.view().tool, PresenterTool::kPen);
    const std::uint32_t block = window.bench.replay()->block();
    const Rect c = window.driver.rect_of("stage.c");
    window.driver.drag({c.x, c.center().y}, {c.right(), c.center().y});
    PresenterMemory& presenter = window.state.panels.parts().presenter;
    ASSERT_EQ(presenter.strokes.size(), 1u);
    EXPECT_GE(presenter.strokes[0].size(), 8u);
    EXPECT_EQ(window.bench.replay()->block(), block);
    window.driver.press('x');
    EXPECT_TRUE(presenter.strokes.empty());
    window.driver.press('s');
    EXPECT_EQ(window.bench.view().tool, PresenterTool::kSpotlight);
    window.driver.press('m');
    EXPECT_EQ(window.bench.view().tool, PresenterTool::kMagnifier);
    window.driver.press(Key::kEscape);
    EXPECT_EQ(window.bench.view().tool, PresenterTool::kNone);
    EXPECT_TRUE(window.bench.view().presenting);
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.bench.view().presenting);
}

}  // namespace
}  // namespace tilereel::frame_presenter_test
