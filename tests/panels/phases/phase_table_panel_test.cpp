// The phase table in the window: opened, followed, clicked and scrolled.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "app/panels/panel_memory.h"
#include "app/replay/places/navigation.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::phase_table_panel_test {
namespace {

// Until the table is made on its thread.
void wait_for_table(FrameWindow& window) {
    for (int i = 0; i < 2000 && window.state.panels.working(window.bench.view()); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        window.driver.frame();
    }
    window.driver.frames(60);
}

TEST(PhaseTablePanel, AKeyAndAButtonOpenItInPlaceOfTheStage) {
    FrameWindow window(small_request("09_tiled", 4, 2));
    EXPECT_FALSE(window.driver.has("phases"));
    window.driver.press('h');
    EXPECT_TRUE(window.driver.has("phases"));
    EXPECT_FALSE(window.driver.has("stage"));
    window.driver.press('h');
    EXPECT_FALSE(window.driver.has("phases"));
    window.driver.click("inspector.phases");
    EXPECT_TRUE(window.driver.has("phases"));
    window.driver.click("phases.close");
    EXPECT_FALSE(window.driver.has("phases"));
    window.driver.press('h');
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("phases"));
}

// A grid of one column and one row has one index, as everywhere else in the window.
TEST(PhaseTablePanel, TheBlockHasItsUsualName) {
    for (const auto& [size, name] : {std::pair{4, "block 0,0"}, {2, "block 0"}}) {
        FrameWindow window(small_request("09_tiled", size, 2));
        window.driver.press('h');
        wait_for_table(window);
        const auto texts = texts_of([&] { window.driver.frame(); });
        EXPECT_TRUE(std::ranges::any_of(texts, [&](const DrawnText& text) {
            return text.text == name;
        })) << name;
    }
}

TEST(PhaseTablePanel, AClickOnAPhaseGoesToItsBeginning) {
    FrameWindow window(small_request("09_tiled", 4, 2));
    window.driver.press('h');
    wait_for_table(window);
    window.driver.click("phases.phase.1");
    EXPECT_EQ(window.tick(), next_tick(*window.bench.replay(), StepUnit::kPhase, 0));
    EXPECT_EQ(window.bench.replay()->state().phase, 1u);
    window.driver.click("phases.phase.0");
    EXPECT_EQ(window.tick(), 0u);
    window.driver.press(Key::kPageDown, true);  // keys move the replay as ever
    window.finish_step();
    EXPECT_EQ(window.bench.replay()->state().phase, 1u);
}

TEST(PhaseTablePanel, TheRunningPhaseStaysInSight) {
    FrameWindow window(small_request("02_naive", 16, 4), 1280, 720);
    window.driver.press('h');
    wait_for_table(window);
    EXPECT_TRUE(window.driver.has("phases.phase.0"));
    EXPECT_FALSE(window.driver.has("phases.phase.9"));
    const float whole_width = window.driver.rect_of("phases.phase.0").w;
    window.bench.apply(
        SeekTo{.tick = static_cast<double>(window.bench.replay()->schedule().ticks) * 0.6});
    const std::uint32_t running = window.bench.replay()->state().phase;
    window.driver.frames(60);
    const Rect whole = window.driver.rect_of("phases");
    const Rect phase = window.driver.rect_of("phases.phase." + std::to_string(running));
    EXPECT_GE(phase.x, whole.x);
    EXPECT_LE(phase.right(), whole.right());
    EXPECT_GE(phase.w, whole_width - 1);  // not cut
    EXPECT_FALSE(window.driver.has("phases.phase.0"));
}

TEST(PhaseTablePanel, AnotherBlockAndAnotherRecordingAreReadAnew) {
    FrameWindow window(small_request("09_tiled", 8, 4));
    window.driver.press('h');
    wait_for_table(window);
    const auto shown = [&] { return window.state.panels.parts().phases.made->table.value(); };
    EXPECT_EQ(shown().block_x, 0u);
    window.bench.apply(WatchBlock{1, 1});
    window.driver.frames(2);
    wait_for_table(window);
    EXPECT_EQ(shown().block_x, 1u);
    EXPECT_EQ(shown().phases, 2u);
    window.bench.apply(SetParameters{{.m = 8, .n = 8, .k = 8, .tile = 2}});
    window.driver.frames(2);
    wait_for_table(window);
    EXPECT_EQ(shown().phases, 4u);
    EXPECT_EQ(shown().threads.size(), 4u);
}

TEST(PhaseTablePanel, ABlockOf1024ThreadsShowsAWarpAtATime) {
    FrameWindow window(small_request("09_tiled", 32, 32));
    window.driver.press('h');
    wait_for_table(window);
    ASSERT_TRUE(window.driver.has("phases.warp"));
    window.driver.click("phases.warp");
    ASSERT_TRUE(window.driver.has("phases.warp.warp 3"));
    window.driver.click("phases.warp.warp 3");
    EXPECT_EQ(window.state.panels.parts().phases.warp, 3u);
    window.bench.apply(SetParameters{{.m = 32, .n = 32, .k = 32, .tile = 4}});
    window.driver.frames(2);
    wait_for_table(window);
    EXPECT_FALSE(window.driver.has("phases.warp"));  // one warp only
    EXPECT_TRUE(window.driver.has("phases.phase.0"));
}

TEST(PhaseTablePanel, ATableTooLargeToReadIsNotMadeAndSaysWhatToChoose) {
    FrameWindow window({.kernel = "09_tiled",
                        .parameters = {.m = 32, .n = 32, .k = 128, .tile = 32},
                        .inputs = {}});
    window.driver.press('h');
    wait_for_table(window);
    EXPECT_FALSE(window.driver.has("phases.phase.0"));
    EXPECT_FALSE(window.state.panels.parts().phases.made->table);
    std::string words;
    for (const DrawnText& text : texts_of([&] { window.driver.frame(); })) words += text.text + " ";
    EXPECT_NE(words.find("choose a smaller K or TILE."), std::string::npos) << words;
    window.driver.press('h');
    EXPECT_FALSE(window.driver.has("phases"));
}

TEST(PhaseTablePanel, TheWheelScrollsTheRowsAndWithShiftAlongThePhases) {
    FrameWindow window(small_request("09_tiled", 128, 16), 1280, 720);
    window.driver.press('h');
    wait_for_table(window);
    const PhaseTableMemory& memory = window.state.panels.parts().phases;
    const ImVec2 inside = window.driver.rect_of("phases.phase.0").center();
    window.driver.scroll(inside, -2);
    EXPECT_GT(memory.y, 0);
    EXPECT_EQ(memory.x, 0);
    const float down = memory.y;
    window.driver.hold_shift(true);
    window.driver.scroll(inside, -2);
    const float along = memory.x;
    EXPECT_GT(along, 0);
    window.driver.scroll(inside, 1);
    window.driver.hold_shift(false);
    EXPECT_GT(memory.x, 0);
    EXPECT_LT(memory.x, along);
    EXPECT_EQ(memory.y, down);
}

// Its scroll bars are dragged over the phases and rows, which take no click meanwhile.
TEST(PhaseTablePanel, ItsBarsAreDragged) {
    FrameWindow window(small_request("09_tiled", 128, 16), 1280, 720);
    window.driver.press('h');
    wait_for_table(window);
    const PhaseTableMemory& memory = window.state.panels.parts().phases;
    const Tick before = window.tick();
    const Rect place = window.driver.rect_of("scrolls.sideways");
    window.driver.drag({place.x + 10, place.bottom() - 4}, {place.right(), place.bottom() - 4});
    EXPECT_GT(memory.x, 0);
    const float along = memory.x;
    window.driver.drag({place.right() - 4, place.y + 10}, {place.right() - 4, place.bottom()});
    EXPECT_GT(memory.y, 0);
    EXPECT_EQ(memory.x, along);
    EXPECT_EQ(window.tick(), before);
}

struct WindowLook {
    float width, height;
    int text;
};
// On a projector the text of a whole phase appears over the rows, and only when it is asked for.
TEST(PhaseTablePanel, InALowWindowTheRowsHaveTheRoomOfTheFoot) {
    FrameWindow window(small_request("09_tiled", 64, 16), 1280, 720);
    window.bench.apply(SetTextSize{28});
    window.driver.press('h');
    wait_for_table(window);
    const auto shows = [&](const std::string& words) {
        const auto texts = texts_of([&] { window.driver.frames(1); });
        return std::ranges::any_of(
            texts, [&](const DrawnText& t) { return t.text.find(words) != std::string::npos; });
    };
    EXPECT_TRUE(shows("[0,2]")) << "three threads";
    EXPECT_TRUE(shows("Point at a thread"));
    // The ninth of 16 terms is left out of the row, but not of the whole text.
    EXPECT_FALSE(shows("As[0,8]"));
    window.driver.hover("phases.phase.0", 0.5f, 0.4f);
    EXPECT_TRUE(shows("As[0,8]"));
    EXPECT_FALSE(shows("Point at a thread"));
}

class PhaseTableSizes : public testing::TestWithParam<WindowLook> {};

TEST_P(PhaseTableSizes, StaysInItsPlace) {
    const auto [width, height, text] = GetParam();
    for (const char* kernel : {"09_tiled", "12_outer_product", "10_tiled_any_size"}) {
        FrameWindow window(small_request(kernel, 64, 16), width, height);
        window.bench.apply(SetTextSize{text});
        window.driver.press('h');
        wait_for_table(window);
        const Rect whole = window.driver.rect_of("phases");
        for_each_widget([&](std::string_view name, const Rect& rect) {
            if (!name.starts_with("phases.")) return;
            EXPECT_GE(rect.x, whole.x) << name;
            EXPECT_LE(rect.right(), whole.right() + 0.5f) << name;
            EXPECT_GE(rect.y, whole.y) << name;
            EXPECT_LE(rect.bottom(), whole.bottom() + 0.5f) << name;
            EXPECT_GT(rect.w, 1) << name;
        });
        EXPECT_TRUE(window.driver.has("phases.phase.0")) << kernel;
    }
}
INSTANTIATE_TEST_SUITE_P(All, PhaseTableSizes,
                         testing::Values(WindowLook{1280, 720, 14}, WindowLook{1280, 720, 32},
                                         WindowLook{1920, 1080, 28}, WindowLook{3840, 2160, 20}));

}  // namespace
}  // namespace tilereel::phase_table_panel_test
