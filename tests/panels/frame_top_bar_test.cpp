// The controls of the top bar: kernel, sizes, TILE, PAD, generation, page, theme.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/panels/frame_window.h"

namespace tilereel::frame_top_bar_test {
namespace {

TEST(TopBar, ChoosesAKernelFromItsMenu) {
    FrameWindow window(small_request(), 1920, 2160);  // high enough for the whole list
    window.driver.click("chip.kernel");
    for (const KernelInfo& kernel : catalog())
        EXPECT_TRUE(window.driver.has("chip.kernel." + std::string(kernel.id))) << kernel.id;
    window.driver.click("chip.kernel.02_naive");
    EXPECT_EQ(window.bench.recording()->trace->launch.kernel, "02_naive");
    window.driver.frames(3);
    EXPECT_FALSE(window.driver.has("chip.kernel.02_naive")) << "the menu stays open";
}

TEST(TopBar, AMenuLongerThanTheScreenIsScrolledByItsScrollBar) {
    FrameWindow window(small_request("01_naive_by_column"), 1366, 768);
    window.driver.click("chip.kernel");
    EXPECT_FALSE(window.driver.has("chip.kernel.20_champion")) << "out of sight";
    const Rect place = window.driver.rect_of("chip.kernel.scroll");
    window.driver.drag({place.right() - 4, place.y + 8}, {place.right() - 4, place.bottom()});
    EXPECT_GT(window.driver.rect_of("chip.kernel.20_champion").h, 40);
    EXPECT_EQ(window.bench.request().kernel, "01_naive_by_column") << "no row was clicked";
}

TEST(TopBar, AMenuLongerThanTheScreenIsScrolledByTheWheel) {
    FrameWindow window(small_request("01_naive_by_column"), 1366, 768);
    window.driver.click("chip.kernel");
    EXPECT_TRUE(window.driver.has("chip.kernel.01_naive_by_column"));
    window.driver.scroll(window.driver.rect_of("chip.kernel.04_guide_a_shared").center(), -20);
    EXPECT_TRUE(window.driver.has("chip.kernel.20_champion"));
    EXPECT_FALSE(window.driver.has("chip.kernel.01_naive_by_column"));
    window.driver.click("chip.kernel.19_async_pipeline");
    EXPECT_EQ(window.bench.request().kernel, "19_async_pipeline");
}

// At 1366 x 768 the list is longer than the screen.
TEST(TopBar, TheKernelMenuOpensAtTheCurrentKernelAndIsUsedByKeys) {
    for (const char* id : {"01_naive_by_column", "09_tiled", "19_async_pipeline"}) {
        FrameWindow window(small_request(id, 16, 8), 1366, 768);
        window.driver.click("chip.kernel");
        EXPECT_TRUE(window.driver.has("chip.kernel.scroll"));
        const Rect row = window.driver.rect_of("chip.kernel." + std::string(id));
        EXPECT_GT(row.h, 40) << id << " is in view";
        EXPECT_LT(row.bottom(), 768) << id;
    }
    FrameWindow window(small_request("09_tiled"), 1366, 768);
    window.driver.click("chip.kernel");
    window.driver.press(Key::kDown);
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.bench.request().kernel, "10_tiled_any_size");
    window.driver.click("chip.kernel");
    window.driver.press('1');
    window.driver.press('2');
    window.driver.press(Key::kPageUp);
    window.driver.press(Key::kEscape);
    EXPECT_EQ(window.bench.request().kernel, "10_tiled_any_size");
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay) << "the menu takes the digits";
    window.driver.click("chip.kernel");
    for (const char key : {'0', '2'}) window.driver.press(key);
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.bench.request().kernel, "02_naive");
    window.driver.click("chip.kernel");
    window.driver.press(Key::kHome);
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.bench.request().kernel, "cpu_naive");
    EXPECT_EQ(window.tick(), 0u);
}

// Tab goes to M first; the other sizes, TILE and PAD are typed without the mouse.
TEST(TopBar, SizesTileAndPadAreSetByKeysAlone) {
    FrameWindow window(small_request("08_tiled_b_transposed", 16, 8));
    window.driver.press(Key::kTab);
    for (const char* extent : {"32", "32", "32"}) {
        window.driver.type(extent);
        window.driver.press(Key::kTab);
    }
    window.driver.type("16");  // TILE's list
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.parameters(),
              (KernelParameters{.m = 32, .n = 32, .k = 32, .tile = 16, .pad = 0}));
}

TEST(TopBar, GenerationsHaveNamesWhereTheBarIsNarrow) {
    FrameWindow window(small_request(), 1366, 768);
    if (!window.driver.has("chip.gpu")) window.driver.click("bar.more");
    window.driver.click("chip.gpu");
    EXPECT_TRUE(window.driver.has("chip.gpu.RTX 4090 (8.9)"));
    EXPECT_TRUE(window.driver.has("chip.gpu.heading.recorders"));
}

TEST(TopBar, EscapeClosesAMenu) {
    FrameWindow window;
    window.driver.click("chip.kernel");
    ASSERT_TRUE(window.driver.has("chip.kernel.02_naive"));
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.driver.has("chip.kernel.02_naive"));
    EXPECT_EQ(window.bench.recording()->trace->launch.kernel, "09_tiled");
}

TEST(TopBar, TileAndPadAreRecordedAtOnce) {
    FrameWindow window(small_request("08_tiled_b_transposed", 32, 32));
    EXPECT_GT(window.bench.recording()->counts.shared_load.bank_conflicts, 0u);
    window.driver.click("chip.pad");
    window.driver.click("chip.pad.1");
    EXPECT_EQ(window.bench.recording()->counts.shared_load.bank_conflicts, 0u);
    window.driver.click("chip.tile");
    window.driver.click("chip.tile.8");
    EXPECT_EQ(window.bench.recording()->trace->launch.tile, 8u);
    EXPECT_EQ(window.bench.recording()->trace->launch.pad, 1u);
}

TEST(TopBar, AnotherTileIsTyped) {
    FrameWindow window(small_request("09_tiled", 26, 2));
    window.driver.click("chip.tile");
    EXPECT_TRUE(window.driver.has("chip.tile.heading.other"));
    window.driver.type("13");
    EXPECT_TRUE(window.driver.has("chip.tile.13"));
    window.driver.enter();
    EXPECT_EQ(window.bench.recording()->trace->launch.tile, 13u);
    EXPECT_EQ(window.bench.message(), "");
    window.driver.click("chip.pad");
    push_key({Key::kCharacter, '1'});  // both between two frames
    push_key({Key::kCharacter, '6'});
    window.driver.enter();
    window.driver.frames(2);
    EXPECT_EQ(window.bench.recording()->trace->launch.pad, 16u);
}

TEST(TopBar, WhereATileIsFixedNoOtherIsTyped) {
    FrameWindow window(small_request("18_warp_tiled", 32, 32));
    ASSERT_TRUE(window.bench.recording()) << window.bench.message();
    window.driver.click("chip.tile");
    EXPECT_TRUE(window.driver.has("chip.tile.32"));
    EXPECT_FALSE(window.driver.has("chip.tile.heading.other"));
}

TEST(TopBar, TypesTheExtents) {
    FrameWindow window;
    window.driver.click("chip.extents.k");
    window.driver.type("32");
    window.driver.enter();
    EXPECT_EQ(window.bench.recording()->trace->launch.k, 32u);
    EXPECT_EQ(window.bench.recording()->trace->launch.m, 16u);
}

TEST(TopBar, AnImpossibleLaunchIsReportedAndChangesNothing) {
    for (const char* typed : {"0", "-8", "999999999", "***"}) {
        FrameWindow window;
        window.driver.click("chip.extents.m");
        window.driver.type(typed);
        window.driver.enter();
        window.driver.frames(2);
        EXPECT_EQ(window.bench.recording()->trace->launch.m, 16u) << typed;
        if (window.bench.message().empty()) {  // nothing that could be read as a number
            EXPECT_STREQ(typed, "***");
            continue;
        }
        EXPECT_EQ(window.bench.message().find('\n'), std::string::npos);
        window.driver.click("message.dismiss");
        EXPECT_TRUE(window.bench.message().empty());
        EXPECT_EQ(window.parameters().m, 16);
    }
}

TEST(TopBar, KeysDoNotFireWhileANumberIsTyped) {
    FrameWindow window;
    window.driver.click("chip.extents.n");
    window.driver.press('t');
    window.driver.press('2');
    window.driver.press(' ');
    EXPECT_FALSE(window.bench.view().light);
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_FALSE(window.bench.playing());
    window.driver.enter();
    window.driver.press('t');
    EXPECT_TRUE(window.bench.view().light);
}

TEST(TopBar, HasControlsOfTheWindow) {
    FrameWindow window;
    const ViewState& view = window.bench.view();
    window.driver.click("bar.theme");
    EXPECT_TRUE(view.light);
    window.driver.click("bar.full_screen");
    EXPECT_TRUE(view.full_screen);
    const int before = view.text_px;
    window.driver.click("bar.text_larger");
    EXPECT_GT(view.text_px, before);
    window.driver.click("bar.help");
    EXPECT_TRUE(view.help);
    window.driver.click("help.close");
    EXPECT_FALSE(view.help);
}

TEST(TopBar, AfterTheLargestTextSizeComesTheSmallest) {
    FrameWindow window;
    window.bench.apply(SetTextSize{32});
    window.driver.frames(3);
    if (!window.driver.has("bar.text_larger")) window.driver.click("bar.more");
    window.driver.click("bar.text_larger");
    EXPECT_EQ(window.bench.view().text_px, 14);
}

TEST(TopBar, OffersGpuGenerations) {
    FrameWindow window;
    window.driver.click("chip.gpu");
    EXPECT_TRUE(window.driver.has("chip.gpu.H100 (9.0)"));
    window.driver.click("chip.gpu.GTX 280 (1.3)");
    EXPECT_EQ(window.bench.generation().id, "1.3");
}

TEST(TopBar, EveryModeHasAPage) {
    FrameWindow window;
    const std::pair<WindowMode, const char*> pages[] = {{WindowMode::kRace, "tab.race"},
                                                        {WindowMode::kPatterns, "tab.patterns"},
                                                        {WindowMode::kLessons, "tab.lessons"},
                                                        {WindowMode::kTime, "tab.time"},
                                                        {WindowMode::kReplay, "tab.replay"}};
    for (const auto& [mode, tab] : pages) {
        window.driver.click(tab);
        EXPECT_EQ(window.bench.view().mode, mode);
        window.driver.frames(2);
        EXPECT_EQ(window.driver.has("race.views"), mode == WindowMode::kRace) << tab;
        EXPECT_EQ(window.driver.has("timeline.track"), mode == WindowMode::kReplay) << tab;
    }
    for_each_widget([&pages](std::string_view name, const Rect&) {
        if (name.starts_with("tab.")) {
            EXPECT_TRUE(std::ranges::any_of(pages, [&](auto& page) { return name == page.second; }))
                << name;
        }
    });
}

TEST(TopBar, ATabOfTheLargestTextTakesClicksOverItsWholeWord) {
    FrameWindow window(small_request(), 3840, 2160);
    window.bench.apply(SetTextSize{32});
    window.driver.frames(3);
    for (const float share : {0.02f, 0.98f}) {
        for (const char* tab : {"tab.patterns", "tab.replay"}) window.driver.click(tab, share);
        EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay) << share;
        window.driver.click("tab.patterns", share);
        EXPECT_EQ(window.bench.view().mode, WindowMode::kPatterns) << share;
    }
}

TEST(TopBar, ATabUnderThePointerSaysWhatItShows) {
    FrameWindow window;
    window.driver.move_to(window.driver.rect_of("tab.race").center());
    window.driver.frames(3, 0.3);
    EXPECT_TRUE(window.driver.has("tip"));
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay) << "not before a click";
}

TEST(TopBar, ControlsThatDoNotFitAreInTheMenu) {
    FrameWindow window(small_request(), 1024, 640);
    window.bench.apply(SetTextSize{32});
    window.driver.frames(3);
    ASSERT_TRUE(window.driver.has("bar.more"));
    EXPECT_FALSE(window.driver.has("bar.theme"));
    window.driver.click("bar.more");
    window.driver.click("bar.theme");
    EXPECT_TRUE(window.bench.view().light);
    window.driver.click("chip.extents.k");
    window.driver.type("24");
    window.driver.enter();
    EXPECT_EQ(window.bench.recording()->trace->launch.k, 24u);
}

}  // namespace
}  // namespace tilereel::frame_top_bar_test
