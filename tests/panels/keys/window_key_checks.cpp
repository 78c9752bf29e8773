// Keys of the window: its bar, its tabs, pictures, the help, and what a presenter uses.
#include <filesystem>
#include <set>

#include "app/panels/panel_memory.h"
#include "tests/panels/keys/every_key_window.h"

namespace tilereel::every_key {
namespace {

// Whether this menu of the bar is open.
bool has_rows(const std::string& menu) {
    bool found = false;
    for_each_widget(
        [&](std::string_view name, const Rect&) { found |= name.starts_with(menu + "."); });
    return found;
}

}  // namespace

// In a window of one column each tab of the panel is reached, and each of the Race page.
void check_tabs(const Size& size) {
    SizedWindow window(size);
    if (window.driver.has("side.source")) {
        std::set<SideTab> seen;
        for (int i = 0; i < 4; ++i) {
            window.driver.press(Key::kNextTab);
            seen.insert(window.bench.view().tab);
        }
        EXPECT_TRUE(seen.contains(SideTab::kSource) && seen.contains(SideTab::kRequest));
        window.driver.press(Key::kNextTab);
        const SideTab now = window.bench.view().tab;
        window.driver.press(Key::kNextTab);
        EXPECT_NE(window.bench.view().tab, now);
        window.driver.press(Key::kPreviousTab);
        EXPECT_EQ(window.bench.view().tab, now);
    }
    window.driver.press('2');
    const auto shown = [&] {
        const RaceView& race = window.bench.races().view();
        return std::pair(race.plot, race.tab);
    };
    const auto first = shown();
    window.driver.press(Key::kNextTab);
    EXPECT_NE(shown(), first);
    window.driver.press(Key::kPreviousTab);
    EXPECT_EQ(shown(), first);
}

void check_bar(const Size& size) {
    SizedWindow window(size);
    window.driver.press(Key::kF10);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("chip.kernel.09_tiled"));
    // M, N, K, TILE, PAD, GPU, compare, open; then the arrow key to the theme.
    for (int i = 0; i < 8; ++i) window.driver.press(Key::kTab);
    window.driver.press(Key::kRight);
    window.driver.press(Key::kEnter);
    window.driver.frames(2);
    EXPECT_TRUE(window.bench.view().light);
    window.driver.press(Key::kEscape);
    // The arrows alone visit the same controls, and go back.
    window.driver.press(Key::kF10);
    for (const char* const menu :
         {"", "", "", "chip.tile", "chip.pad", "chip.gpu", "chip.compare", ""}) {
        window.driver.press(Key::kRight);
        window.driver.frames(4);
        EXPECT_TRUE(menu[0] == '\0' || has_rows(menu)) << menu;
    }
    window.driver.press(Key::kRight);
    window.driver.press(Key::kEnter);
    EXPECT_FALSE(window.bench.view().light);
    window.driver.press(Key::kF10);
    for (int i = 0; i < 5; ++i) window.driver.press(Key::kRight);
    for (const char* const menu : {"chip.tile", "", "", "", "chip.kernel"}) {
        window.driver.press(Key::kLeft);
        window.driver.frames(4);
        EXPECT_TRUE(menu[0] == '\0' || has_rows(menu)) << menu;
    }
    window.driver.press(Key::kEscape);
    window.expect_keys_act();
}

void check_window(const Size& size) {
    SizedWindow window(size);
    const ViewState& view = window.bench.view();
    window.driver.press('t');
    EXPECT_TRUE(view.light);
    window.driver.press('z');
    EXPECT_FALSE(view.motion);
    window.driver.press('+');
    EXPECT_GT(view.text_px, size.text_px);
    window.driver.press('-');
    EXPECT_EQ(view.text_px, size.text_px);
    window.driver.press('f');
    EXPECT_TRUE(view.full_screen);
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(view.full_screen);
    window.driver.press(Key::kF11);
    EXPECT_TRUE(view.full_screen);
    for (const char digit : {'2', '3', '4', '5', '1'}) {
        const WindowMode before = view.mode;
        window.driver.press(digit);
        EXPECT_NE(view.mode, before) << digit;
    }
}

void check_pictures(const Size& size) {
    SizedWindow window(size);
    window.driver.press(Key::kSavePicture);
    ASSERT_TRUE(window.driver.has("save.path"));
    window.driver.type("lecture");  // replaces the name, but neither folder nor extension
    window.driver.enter();
    window.driver.frames(2);
    ASSERT_EQ(window.of_window.size(), 1u);
    ASSERT_TRUE(window.of_window[0].holds<SavePicture>());
    EXPECT_EQ(window.of_window[0].get_if<SavePicture>()->file,
              std::filesystem::current_path() / "lecture.png");
    window.driver.press(Key::kCopy);
    EXPECT_TRUE(std::string(ImGui::GetClipboardText()).starts_with("tilereel --state"));
    window.driver.press(Key::kCopyPicture);
    ASSERT_EQ(window.of_window.size(), 2u);
    EXPECT_TRUE(window.of_window[1].holds<CopyPicture>());
}

void check_help(const Size& size) {
    SizedWindow window(size);
    for (const bool by_name : {true, false}) {
        if (by_name)
            window.driver.press(Key::kF1);
        else
            window.driver.press('?');
        EXPECT_TRUE(window.bench.view().help);
        window.driver.press(Key::kEscape);
        EXPECT_FALSE(window.bench.view().help);
    }
}

void check_presenting(const Size& size) {
    SizedWindow window(size);
    const ViewState& view = window.bench.view();
    window.driver.press(Key::kF5);
    EXPECT_TRUE(view.presenting);
    for (const auto& [key, tool] :
         {std::pair('m', PresenterTool::kMagnifier), std::pair('s', PresenterTool::kSpotlight),
          std::pair('d', PresenterTool::kPen)}) {
        window.driver.press(key);
        EXPECT_EQ(view.tool, tool);
    }
    window.state.panels.parts().presenter.strokes.emplace_back();
    window.driver.press('x');
    EXPECT_TRUE(window.state.panels.parts().presenter.strokes.empty());
    for (const auto& [key, curtain] :
         {std::pair('b', Curtain::kBlack), std::pair('.', Curtain::kBlack),
          std::pair('w', Curtain::kWhite)}) {
        window.driver.press(key);
        EXPECT_EQ(view.curtain, curtain);
        window.driver.press(key);
    }
    window.driver.press(Key::kF5);
    EXPECT_FALSE(view.presenting);
}

}  // namespace tilereel::every_key
