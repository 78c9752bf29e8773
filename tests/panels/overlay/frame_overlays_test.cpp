// Notices, the card of the help and tips: what lies over the frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "app/panels/panel_memory.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::frame_overlays_test {
namespace {

TEST(Notice, EndsWithAnyStepUnlessItIsAnError) {
    FrameWindow window;
    window.driver.press('e');
    ASSERT_TRUE(window.driver.has("message.dismiss"));
    EXPECT_FALSE(window.driver.has("message.error"));
    window.driver.press(Key::kRight);
    EXPECT_FALSE(window.driver.has("message.dismiss"));
    window.state.panels.show_error("There is no file x.cu");
    window.driver.press(Key::kRight);
    EXPECT_TRUE(window.driver.has("message.error"));
}

// A notice stays for 8 seconds: long enough to read two lines, and it covers the sentence no
// longer. An error of the program stays until the user acts.
TEST(Message, ANoticeEndsAfterEightSeconds) {
    FrameWindow window;
    window.state.panels.show_notice("The file has changed");
    window.driver.frame();
    for (int i = 0; i < 15; ++i) window.driver.frame(0.5);
    EXPECT_TRUE(window.driver.has("message.dismiss")) << "after 7.5 s";
    window.driver.frame(0.7);
    window.driver.frame();
    EXPECT_FALSE(window.driver.has("message.dismiss")) << "after 8.2 s";
    // Another one has its own 8 seconds.
    window.state.panels.show_notice("The file has changed again");
    window.driver.frame(5);
    window.driver.frame(5);
    EXPECT_TRUE(window.driver.has("message.dismiss"));
    window.driver.frame(5);
    window.driver.frame();
    EXPECT_FALSE(window.driver.has("message.dismiss"));
}

// At the last conflict N says so, and which key goes to those before.
TEST(Message, OfAJumpThatFindsNothingNamesTheOtherDirection) {
    FrameWindow window(small_request("08_tiled_b_transposed", 32, 32));
    const auto notice = [&] { return window.state.panels.parts().message.notice; };
    window.driver.press(Key::kEnd);
    window.driver.press('n');
    EXPECT_EQ(notice(),
              "No bank conflict after this moment in this block; Shift+N goes to the one before");
    window.driver.press('n', true);
    EXPECT_GT(window.tick(), 0u);
    window.driver.press(Key::kHome);
    window.driver.press('g', true);
    EXPECT_EQ(notice(), "No barrier before this moment in this block; G goes to the next one");
    window.driver.press('e');
    EXPECT_EQ(notice(), "No finding after this moment");
}

// Messages appear without the user's doing: the progress of a slow recording, a file that changed.
TEST(Message, LeavesAMenuOpenAndAFieldInEdit) {
    FrameWindow window;
    window.driver.press('c');
    window.driver.frames(2);
    ASSERT_TRUE(window.driver.has("chip.compare.02_naive"));
    window.state.panels.show_notice("The file has changed");
    window.driver.frames(3);
    ASSERT_TRUE(window.driver.has("message.dismiss"));
    window.driver.type("02_naive");
    window.driver.enter();
    window.driver.frames(3);
    ASSERT_TRUE(window.bench.comparing());
    EXPECT_EQ(window.bench.compared_with()->kernel, "02_naive");

    window.state.panels.dismiss_notice();
    window.driver.press(Key::kTab);
    window.driver.type("3");
    window.state.panels.show_error("There is no file x.cu");
    window.driver.frames(3);
    ASSERT_TRUE(window.driver.has("message.error"));
    window.driver.type("2");
    window.driver.enter();
    EXPECT_EQ(window.parameters().m, 32);
}

// A file that cannot be opened leaves the list open with what is wrong: what is typed next goes
// into its field and not to the window, where "3" would open the lessons.
TEST(FileListCard, StaysOpenAfterAFileThatCannotBeOpened) {
    const tests::ScratchFolder folder;
    std::ofstream(folder / "notes.txt") << "no program";
    FrameWindow window;
    window.driver.press(Key::kOpen);
    window.driver.frames(2);
    window.driver.type((folder / "notes.txt").string());
    window.driver.enter();
    window.driver.frames(2);
    ASSERT_TRUE(window.driver.has("files.field"));
    std::string words;
    for (const DrawnText& text : texts_of([&] { window.driver.frame(); })) words += text.text + " ";
    EXPECT_NE(words.find("Tilereel opens CUDA programs"), std::string::npos) << words;
    window.driver.type("3");
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("files.field"));
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    for (int i = 0; i < 400; ++i) window.driver.press(Key::kBackspace);
    window.driver.type("02_naive");
    window.driver.enter();
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("files.field"));
    EXPECT_EQ(window.bench.request().kernel, "02_naive");
}

// At 1280 x 720 and text 28 all text of the help is inside the window.
TEST(HelpCard, FitsTheWindowAndFiltersItsRows) {
    FrameWindow window(small_request(), 1280, 720);
    window.bench.apply(SetTextSize{28});
    window.driver.frames(2);
    window.driver.press('?');
    const Rect card = window.driver.rect_of("help");
    EXPECT_GE(card.x, 0);
    EXPECT_LE(card.right(), 1280);
    EXPECT_LE(card.bottom(), 720);
    const Rect space = window.driver.rect_of("help.key.Space");
    EXPECT_LE(space.right(), card.right());
    EXPECT_FALSE(window.driver.has("help.key.Mouse wheel")) << "out of sight";
    window.driver.type("zoom");
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("help.key.Mouse wheel"));
    EXPECT_FALSE(window.driver.has("help.key.Space"));
    window.driver.enter();
    EXPECT_FALSE(window.bench.view().help);
}

// After a click, the tip does not cover what the click opened. A presenter sees no tip at all.
TEST(Tip, IsHiddenAfterAClickAndWhilePresenting) {
    FrameWindow window;
    window.driver.hover("transport.loop");
    window.driver.frames(40);
    EXPECT_TRUE(window.driver.has("tip"));
    window.driver.click("transport.loop");
    window.driver.frames(40);
    EXPECT_FALSE(window.driver.has("tip"));
    // Tips of controls and the cards of cells.
    const auto point_at = [&](const char* name, float share) {
        window.driver.hover(name, share, share);
        window.driver.frames(3, 0.5);
        return window.driver.has("tip") || window.driver.has("card");
    };
    for (const char* const name : {"stage.shared.As", "stage.a", "stage.c"})
        EXPECT_TRUE(point_at(name, 0.4f)) << name;
    window.bench.apply(Command{TogglePresenting{}});
    window.driver.frames(3);
    for (const char* const name : {"stage.shared.As", "stage.a", "stage.c", "stage.warp.0"})
        EXPECT_FALSE(point_at(name, 0.6f)) << name;
}

// A pointer that lies on the picture hides nothing from somebody who uses the keyboard.
TEST(Tip, IsHiddenByAKeyUntilThePointerMovesAgain) {
    FrameWindow window;
    const Rect tile = window.driver.rect_of("stage.shared.As");
    const auto point_at = [&](float shift) {
        window.driver.move_to({tile.center().x + shift, tile.center().y});
        window.driver.frames(3, 0.5);
    };
    point_at(0);
    EXPECT_TRUE(window.driver.has("stage.hover"));
    window.driver.press(Key::kRight);
    window.driver.frames(3, 0.5);
    EXPECT_FALSE(window.driver.has("stage.hover"));
    point_at(1);
    EXPECT_TRUE(window.driver.has("stage.hover"));
    window.driver.hover("transport.loop");
    window.driver.frames(40);
    EXPECT_TRUE(window.driver.has("tip"));
    window.driver.press(Key::kRight);
    window.driver.frames(40);
    EXPECT_FALSE(window.driver.has("tip"));
}

// Whatever is pointed at, also at the edges of a projector's window.
TEST(Tip, IsInsideTheWindow) {
    FrameWindow window(small_request(), 1280, 720);
    window.bench.apply(SetTextSize{28});
    window.driver.frames(2);
    std::vector<std::string> names;
    for_each_widget([&](std::string_view name, const Rect&) { names.emplace_back(name); });
    std::size_t tips = 0;
    for (const std::string& name : names) {
        if (!window.driver.has(name)) continue;
        window.driver.hover(name);
        window.driver.frames(2, 0.5);
        Rect tip;
        if (!find_widget("tip", tip)) continue;
        ++tips;
        EXPECT_GE(tip.x, 0) << name;
        EXPECT_GE(tip.y, 0) << name;
        EXPECT_LE(tip.right(), 1280) << name;
        EXPECT_LE(tip.bottom(), 720) << name;
    }
    EXPECT_GT(tips, 10u);
}

}  // namespace
}  // namespace tilereel::frame_overlays_test
