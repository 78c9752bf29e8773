// The menu of a right click, the Menu key and Shift+F10.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "app/panels/panel_memory.h"
#include "app/replay/arrays/element_uses.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"
#include "tests/panels/race/race_window.h"

namespace tilereel::context_menu_test {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using std::string_literals::operator""s;

std::vector<std::string> rows_shown() {
    std::vector<std::string> rows;
    for_each_widget([&](std::string_view name, const Rect&) {
        if (name.starts_with("context.") && name != "context.scroll") rows.emplace_back(name);
    });
    return rows;
}

// The words inside the menu.
template <class Window>
std::vector<std::string> words_shown(Window& window) {
    Rect menu;
    for_each_widget([&](std::string_view name, const Rect& row) {
        if (name.starts_with("context.")) menu = menu.w > 0 ? menu.joined(row) : row;
    });
    std::vector<std::string> words;
    for (const DrawnText& text : texts_of([&] { window.driver.frame(); }))
        if (menu.contains(text.box.center())) words.push_back(text.text);
    return words;
}

struct ContextWindow : FrameWindow {
    explicit ContextWindow(float width = 1920, float height = 1080)
        : FrameWindow({.request = small_request(),
                       .trace = {},
                       .playing = false,
                       .record_on_worker = false},
                      width, height) {}
    void right_click(std::string_view name, float x = 0.5f, float y = 0.5f) {
        driver.hover(name, x, y);
        driver.click(name, x, y, 1);
    }
    [[nodiscard]] const Replay& replay() const { return *bench.replay(); }
    [[nodiscard]] std::uint32_t line_now() const {
        const std::uint32_t step = replay().state().step;
        return replay().trace().sites[replay().schedule().steps[step].site].line;
    }
};

TEST(ContextMenu, ACellGoesToItsAccessesFollowsAndCopies) {
    ContextWindow window;
    window.right_click("stage.a", 0.1f, 0.1f);
    EXPECT_THAT(rows_shown(), Contains("context.next_access"));
    EXPECT_THAT(rows_shown(), Contains("context.copy"));
    const StageView::PointedElement element = window.state.stage.pointed_element;
    ASSERT_FALSE(element.uses.empty());
    const auto next = next_use(window.replay(), element.uses, window.replay().state().tick);
    window.driver.press(Key::kEscape);
    EXPECT_THAT(rows_shown(), IsEmpty()) << "Escape closes it";
    window.right_click("stage.a", 0.1f, 0.1f);
    window.driver.click("context.next_access");
    EXPECT_THAT(rows_shown(), IsEmpty());
    EXPECT_EQ(window.bench.position(),
              static_cast<double>(window.replay().schedule().steps[next->step].begin));
    window.right_click("stage.a", 0.1f, 0.1f);
    window.driver.click("context.follow");
    EXPECT_TRUE(window.bench.watched_thread().chosen_lane().has_value());
    window.right_click("stage.a", 0.1f, 0.1f);
    window.driver.click("context.copy");
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), element.title);
    EXPECT_TRUE(element.title.starts_with("A[")) << element.title;
}

// What each row says: its effect, and beside it the moment or the key.
TEST(ContextMenu, RowsSayWhatTheyDo) {
    ContextWindow window;
    window.driver.press(Key::kRight);
    window.driver.frames(60);
    window.driver.press(Key::kMenu);
    const std::string line = "line " + std::to_string(window.line_now());
    EXPECT_THAT(words_shown(window),
                IsSupersetOf({line, "Next request on this line"s, "Copy the line"s, "from now on"s,
                              "Next barrier"s, "G"s, "Repeat the phase"s, "A"s}));
    window.driver.press(Key::kEscape);
    window.driver.press('a');
    window.driver.press(Key::kMenu);
    EXPECT_THAT(words_shown(window), Contains("Go on after the phase"));
    window.driver.press(Key::kEscape);

    window.right_click("timeline.track", 0.75f);
    const std::vector<std::string> of_tick = words_shown(window);
    const auto tick = std::ranges::find_if(
        of_tick, [](const std::string& words) { return words.starts_with("tick "); });
    ASSERT_NE(tick, of_tick.end());
    EXPECT_THAT(of_tick, IsSupersetOf({"Go to " + *tick, "Play from here"s}));
    window.driver.press(Key::kEscape);

    window.right_click("stage.a", 0.1f, 0.1f);
    const std::string title = window.state.stage.pointed_element.title;
    EXPECT_THAT(words_shown(window), IsSupersetOf({title, "Copy " + title, "Y"s}));
}

TEST(ContextMenu, RowsOfAnElementSayWhichAccessTheyGoTo) {
    ContextWindow window(1920, 1080);
    window.bench.apply(Command{GoToEnd{}});
    window.driver.frames(3);
    window.right_click("stage.c", 0.1f, 0.1f);
    // After the last access of all: there is a first one, and one before.
    EXPECT_THAT(words_shown(window),
                IsSupersetOf({"Go to its first access"s, "Go to its previous access"s}));
    window.driver.press(Key::kEscape);
    window.bench.apply(Command{GoToStart{}});
    window.driver.frames(3);
    window.right_click("stage.a", 0.9f, 0.1f);
    EXPECT_THAT(words_shown(window), Contains("Go to its next access"));
}

TEST(ContextMenu, RowsOfAContenderSayWhatTheyDo) {
    RaceWindow window;
    window.driver.click("race.row.5", 0.5f, 0.5f, 1);
    EXPECT_THAT(words_shown(window),
                IsSupersetOf({"Replay it"s, "Look at it"s, "Show only its line"s, "Hide its line"s,
                              "Choose lines"s, "L"s}));
    window.driver.click("context.only");
    window.driver.click("race.row.5", 0.5f, 0.5f, 1);
    EXPECT_THAT(words_shown(window), Contains("Show the other lines again"));
    window.driver.press(Key::kEscape);
}

TEST(ContextMenu, ASourceLineGoesToItsRequests) {
    ContextWindow window;
    window.driver.press(Key::kRight);
    window.driver.frames(60);
    // The line that runs is in sight; find it by the pointer.
    bool found = false;
    for (int i = 2; i < 98 && !found; ++i) {
        window.driver.hover("source.code", 0.3f, 0.01f * static_cast<float>(i));
        if (window.state.panels.parts().source.pointed_line != window.line_now()) continue;
        found = true;
        const std::uint32_t line = window.line_now();
        const double before = window.bench.position();
        window.driver.click("source.code", 0.3f, 0.01f * static_cast<float>(i), 1);
        ASSERT_THAT(rows_shown(), Contains("context.next_on_line"));
        window.driver.press(Key::kEnter);  // the first row
        EXPECT_GT(window.bench.position(), before);
        EXPECT_EQ(window.line_now(), line);
    }
    EXPECT_TRUE(found);
}

TEST(ContextMenu, TheTimelineGoesToATick) {
    ContextWindow window;
    window.right_click("timeline.track", 0.75f);
    ASSERT_THAT(rows_shown(), Contains("context.go_to_tick"));
    EXPECT_EQ(window.bench.position(), 0) << "a right click alone goes nowhere";
    window.driver.click("context.go_to_tick");
    const auto ticks = static_cast<double>(window.replay().schedule().ticks);
    EXPECT_NEAR(window.bench.position(), 0.75 * ticks, 0.02 * ticks);
    window.right_click("timeline.track", 0.25f);
    window.driver.click("context.play_from");
    EXPECT_TRUE(window.bench.playing());
}

TEST(ContextMenu, AContenderIsShownAloneHiddenAndReplayed) {
    RaceWindow window;
    window.driver.click("race.row.5", 0.5f, 0.5f, 1);
    ASSERT_THAT(rows_shown(), Contains("context.only"));
    window.driver.click("context.only");
    EXPECT_EQ(window.races().view().lines.only(), 5u);
    window.driver.click("race.line.5", 0.5f, 0.5f, 1);
    window.driver.click("context.only");
    EXPECT_EQ(window.races().view().lines.only(), std::nullopt);
    window.driver.click("race.row.5", 0.5f, 0.5f, 1);
    window.driver.click("context.hide");
    EXPECT_EQ(window.races().view().lines.shown(5), LineShown::kHidden);
    window.driver.click("race.row.5", 0.5f, 0.5f, 1);
    window.driver.click("context.replay");
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    EXPECT_EQ(window.bench.request().kernel, "08_tiled_b_transposed");
}

// By keyboard alone: Menu opens it, the arrows and letters choose, Enter takes, Escape closes. No
// key that is typed while it opens acts as a shortcut.
TEST(ContextMenu, WorksByKeyboardAtEverySize) {
    struct Size {
        float width, height;
        int text_px;
    };
    for (const Size& size : {Size{1280, 720, 28}, Size{1280, 720, 14}, Size{1920, 1080, 28}}) {
        ContextWindow window(size.width, size.height);
        window.bench.apply(SetTextSize{size.text_px});
        window.driver.press(Key::kRight);
        window.driver.frames(60);
        window.driver.press(Key::kMenu);
        const std::vector<std::string> rows = rows_shown();
        EXPECT_THAT(rows, Contains("context.next_on_line")) << size.text_px;
        for (const std::string& row : rows) {
            const Rect place = window.driver.rect_of(row);
            EXPECT_TRUE(inside(place, {0, 0, size.width, size.height})) << row << size.text_px;
        }
        // It opens beside the sentence, not in a corner of the window.
        const Rect last = window.driver.rect_of("context.loop");
        const Rect sentence = window.driver.rect_of("sentence");
        EXPECT_NEAR(last.x, sentence.x, 30) << size.text_px;
        EXPECT_GT(last.bottom(), sentence.y - 2.5f * last.h) << size.text_px;
        window.driver.press(Key::kEscape);
        EXPECT_THAT(rows_shown(), IsEmpty());
        const double before = window.bench.position();
        push_key({Key::kMenu});
        push_key({Key::kDown});
        push_key({Key::kUp});
        push_key({Key::kEnter});
        window.driver.frames(6);
        EXPECT_THAT(rows_shown(), IsEmpty());
        EXPECT_GT(window.bench.position(), before) << size.text_px;
        EXPECT_FALSE(window.bench.playing());
    }
    RaceWindow race({.width = 1280, .height = 720, .text_px = 28});
    race.driver.press(Key::kMenu);
    EXPECT_THAT(rows_shown(), Contains("context.look"));
    race.driver.press('s');  // "Show only its line"
    race.driver.press(Key::kEnter);
    EXPECT_EQ(race.races().view().lines.only(), race.races().focus());
}

TEST(ContextMenu, NothingOpensWhereThereIsNothingToDo) {
    ContextWindow window;
    window.right_click("sentence", 0.4f);
    EXPECT_THAT(rows_shown(), IsEmpty());
    window.driver.press('4');
    window.driver.press(Key::kMenu);
    EXPECT_THAT(rows_shown(), IsEmpty());
    window.driver.press('1');
    window.driver.press('?');
    window.driver.press(Key::kMenu);
    EXPECT_THAT(rows_shown(), IsEmpty());
}

}  // namespace
}  // namespace tilereel::context_menu_test
