// The controls, by mouse and keyboard, in process.
#include "app/ui/widgets/controls.h"

#include <array>
#include <string>
#include <vector>

#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"
#include "tests/window/driver.h"

namespace tilereel::controls_test {
namespace {

struct Screen {
    Look look;
    int plays = 0;
    int unit = 1, unit_clicks = 0;
    int tile = 0, chosen = 0;
    std::vector<std::string> tiles = {"2", "4", "8", "16", "32"};
    std::array<int, 3> extents = {16, 16, 16};
    int commits = 0;
    std::string refused;

    void draw(double seconds) {
        look.now_seconds += seconds;
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("screen", nullptr, ImGuiWindowFlags_NoDecoration);
        plays += icon_button(look, "play", {20, 100, 36, 36}, Icon::kPlay, false, "Play (Space)")
                     ? 1
                     : 0;
        const std::array<std::string_view, 3> units = {"phase", "request", "wavefront"};
        if (const int clicked = segmented(look, "unit", {80, 100, 280, 36}, units, unit, "");
            clicked >= 0) {
            unit = clicked;
            ++unit_clicks;
        }
        if (const int now =
                choice_chip(look, "chip.tile", {20, 20, 90, 36}, "TILE", tiles, tile, "");
            now >= 0) {
            tile = now;
            ++chosen;
        }
        set_tab_order({"chip.extents.m", "chip.extents.n", "chip.extents.k", "chip.tile"});
        const TypedExtents typed =
            extents_chip(look, "chip.extents", {130, 20, 200, 36}, extents.data(), "");
        commits += typed.committed ? 1 : 0;
        if (!typed.refused.empty()) refused = typed.refused;
        ImGui::End();
    }
};

class ControlsTest : public testing::Test {
  protected:
    Screen screen_;
    Driver driver_{640, 360, [this](double seconds) { screen_.draw(seconds); }};
};

TEST_F(ControlsTest, ButtonClicksOnceOnRelease) {
    driver_.click("play");
    EXPECT_EQ(screen_.plays, 1);
    const Rect play = driver_.rect_of("play");
    driver_.drag(play.center(), {300, 300});
    EXPECT_EQ(screen_.plays, 1) << "let go elsewhere";
}

TEST_F(ControlsTest, SegmentsSwitch) {
    driver_.click("unit.wavefront");
    EXPECT_EQ(screen_.unit, 2);
    driver_.click("unit.phase");
    EXPECT_EQ(screen_.unit, 0);
    EXPECT_EQ(screen_.unit_clicks, 2);
}

TEST_F(ControlsTest, ChoiceOpensAListAndTakesOne) {
    EXPECT_FALSE(driver_.has("chip.tile.32"));
    driver_.click("chip.tile");
    ASSERT_TRUE(driver_.has("chip.tile.32"));
    driver_.click("chip.tile.32");
    EXPECT_EQ(screen_.tile, 4);
    EXPECT_FALSE(driver_.has("chip.tile.32")) << "closed again";
}

TEST_F(ControlsTest, ChoiceClosesOnEscapeAndOnAClickBeside) {
    driver_.click("chip.tile");
    driver_.press(Key::kEscape);
    EXPECT_FALSE(driver_.has("chip.tile.32"));
    driver_.click("chip.tile");
    driver_.click_at({600, 340});
    EXPECT_FALSE(driver_.has("chip.tile.32"));
    EXPECT_EQ(screen_.chosen, 0);
}

TEST_F(ControlsTest, ExtentIsTypedAndCommittedOnEnter) {
    driver_.click("chip.extents.k");
    driver_.type("64");
    EXPECT_EQ(screen_.commits, 0) << "not before it is finished";
    driver_.enter();
    EXPECT_EQ(screen_.commits, 1);
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{16, 16, 64}));
}

TEST_F(ControlsTest, ExtentIsCommittedByAClickElsewhere) {
    driver_.click("chip.extents.m");
    driver_.type("128");
    driver_.click_at({600, 340});
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{128, 16, 16}));
    EXPECT_EQ(screen_.commits, 1);
}

TEST_F(ControlsTest, FromOneExtentToTheNextKeepsBoth) {
    driver_.click("chip.extents.m");
    driver_.type("32");
    driver_.click("chip.extents.n");
    driver_.type("48");
    driver_.enter();
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{32, 48, 16}));
}

// In a menu, Down goes to the next row, whichever of the three fields has the focus.
TEST_F(ControlsTest, DownLeavesTheThreeExtents) {
    driver_.click("chip.extents.n");
    driver_.type("48");
    driver_.press(Key::kDown);
    driver_.frames(2);
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{16, 48, 16}));
    EXPECT_TRUE(driver_.has("chip.tile.32")) << "the next chip has opened";
}

TEST_F(ControlsTest, KeysGoToTheFieldThatIsEdited) {
    driver_.click("chip.extents.m");
    push_key({Key::kCharacter, 'p', false, false});
    bool seen = false;
    Driver* driver = &driver_;
    driver->frame();
    seen = !keys_of_frame().empty();
    EXPECT_FALSE(seen);
}

// A fast typist and a presenter's remote send everything between two frames.
TEST_F(ControlsTest, NothingThatIsTypedBetweenTwoFramesIsLost) {
    driver_.click("chip.extents.m");
    for (const char c : std::string("32")) push_key({Key::kCharacter, static_cast<char32_t>(c)});
    push_key({Key::kTab});
    for (const char c : std::string("48")) push_key({Key::kCharacter, static_cast<char32_t>(c)});
    push_key({Key::kEnter});
    push_key({Key::kCharacter, U'p'});
    std::u32string seen;
    for (int frame = 0; frame < 6; ++frame) {
        driver_.frame();
        for (const KeyPress& press : keys_of_frame()) seen.push_back(press.character);
    }
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{32, 48, 16}));
    EXPECT_EQ(screen_.commits, 1);
    EXPECT_EQ(screen_.refused, "");
    EXPECT_EQ(seen, U"p") << "what comes after Enter is the window's again";
}

TEST_F(ControlsTest, TabGoesThroughTheNumbersToTheListAndBack) {
    driver_.click("chip.extents.m");
    driver_.press(Key::kTab);
    driver_.press(Key::kTab);
    driver_.type("64");
    driver_.press(Key::kTab);
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{16, 16, 64}));
    ASSERT_TRUE(driver_.has("chip.tile.32")) << "the list of TILE is open";
    driver_.press(Key::kTab, true);
    EXPECT_FALSE(driver_.has("chip.tile.32"));
    driver_.type("8");
    driver_.enter();
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{16, 16, 8}));
    EXPECT_EQ(screen_.chosen, 0);
}

// Right and Left go through the numbers like Tab, as long as the caret has nowhere to go.
TEST_F(ControlsTest, ArrowsGoThroughTheNumbersToTheListAndBack) {
    driver_.click("chip.extents.m");
    driver_.press(Key::kRight);
    driver_.type("24");
    driver_.press(Key::kRight);
    driver_.press(Key::kRight);
    driver_.frames(2);
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{16, 24, 16}));
    ASSERT_TRUE(driver_.has("chip.tile.32")) << "the list of TILE is open";
    driver_.press(Key::kLeft);
    EXPECT_FALSE(driver_.has("chip.tile.32"));
    driver_.type("128");
    driver_.press(Key::kLeft);  // to the digit before
    driver_.press(Key::kBackspace);
    driver_.press(Key::kHome);
    driver_.press(Key::kRight);  // not at the end
    driver_.type("0");
    driver_.enter();
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{16, 24, 108}));
    driver_.click("chip.extents.m");
    driver_.type("12");
    driver_.press(Key::kRight, true);  // selects
    driver_.type("3");
    driver_.enter();
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{123, 24, 108}));
}

TEST_F(ControlsTest, AnInvalidNumberIsRefusedAndQuoted) {
    for (const char* typed : {"abc", "1.5", "12k", "99999999999", "1e3"}) {
        driver_.click("chip.extents.n");
        driver_.type(typed);
        driver_.enter();
        EXPECT_EQ(screen_.refused, typed);
        EXPECT_EQ(screen_.extents, (std::array<int, 3>{16, 16, 16}));
    }
    EXPECT_EQ(screen_.commits, 0);
}

// The control accepts any whole number, because the kernel decides which sizes are valid.
TEST_F(ControlsTest, ANegativeNumberIsPassedOn) {
    driver_.click("chip.extents.n");
    driver_.type("-1");
    driver_.enter();
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{16, -1, 16}));
}

TEST_F(ControlsTest, EscapeKeepsTheNumbersAndAnEmptyFieldToo) {
    driver_.click("chip.extents.n");
    driver_.type("77");
    driver_.press(Key::kEscape);
    driver_.click("chip.extents.k");
    driver_.press(Key::kBackspace);
    driver_.enter();
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{16, 16, 16}));
    EXPECT_EQ(screen_.commits, 0);
}

TEST_F(ControlsTest, ALongNumberIsCorrectedInside) {
    driver_.click("chip.extents.n");
    driver_.type("99999");
    driver_.press(Key::kHome);
    driver_.press(Key::kDelete);
    driver_.press(Key::kRight);
    driver_.press(Key::kBackspace);
    driver_.type("1");
    driver_.enter();
    EXPECT_EQ(screen_.extents, (std::array<int, 3>{16, 1999, 16}));
}

TEST_F(ControlsTest, AListIsUsedByKeysFromItsCurrentRow) {
    screen_.tile = 2;  // 8
    driver_.click("chip.tile");
    driver_.press(Key::kDown);
    driver_.enter();
    EXPECT_EQ(screen_.tile, 3);
    driver_.click("chip.tile");
    driver_.press(Key::kUp);
    driver_.press(Key::kUp);
    driver_.enter();
    EXPECT_EQ(screen_.tile, 1);
    driver_.click("chip.tile");
    driver_.press(Key::kEnd);
    driver_.enter();
    EXPECT_EQ(screen_.tile, 4);
    driver_.click("chip.tile");
    driver_.press(Key::kHome);
    driver_.press(Key::kUp);
    driver_.enter();
    EXPECT_EQ(screen_.tile, 0);
    driver_.click("chip.tile");
    driver_.type("16");
    driver_.enter();
    EXPECT_EQ(screen_.tile, 3);
    EXPECT_FALSE(driver_.has("chip.tile.32"));
}

TEST(TypeAhead, GoesToTheNumberAndToTheWord) {
    std::vector<MenuRow> rows = {{.name = "h", .title = "1 of them", .heading = true}};
    for (const char* title : {"cpu naive", "01 naive_by_column", "02 naive", "10 tiled_any_size",
                              "18 warp_tiled", "H100 (9.0)"})
        rows.push_back({.name = title, .title = title});
    EXPECT_EQ(row_typed(rows, "1"), 2u);
    EXPECT_EQ(row_typed(rows, "18"), 5u);
    EXPECT_EQ(row_typed(rows, "2"), 3u);
    EXPECT_EQ(row_typed(rows, "WARP"), 5u);
    EXPECT_EQ(row_typed(rows, "9.0"), 6u);
    EXPECT_EQ(row_typed(rows, "no such"), std::nullopt);
}

TEST_F(ControlsTest, TipAppearsAfterAMoment) {
    const auto windows = [] { return ImGui::GetDrawData()->CmdListsCount; };
    driver_.hover("play");
    const int without = windows();
    EXPECT_FALSE(driver_.has("tip"));
    for (int i = 0; i < 60 && !driver_.has("tip"); ++i) driver_.frame();
    EXPECT_EQ(windows(), without + 1) << "drawn in its first frame";
}

// 40 rows in the room of a few: Dear ImGui's bar moves them, and no row below it is clicked.
TEST(ScrollBar, IsDraggedAndTakesTheMouseBeforeWhatLiesBelow) {
    Look look;
    const Rect place{20, 20, 200, 200};
    constexpr float kLength = 1000;
    float offset = 0, shown = 0;
    int clicks = 0;
    Driver driver(640, 360, [&](double seconds) {
        look.now_seconds += seconds;
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("screen", nullptr, ImGuiWindowFlags_NoDecoration);
        shown = scroll_in(look, place, kLength, offset);
        clicks += interact(look, "row", place, "").clicked ? 1 : 0;
        ImGui::End();
    });
    driver.frames(2);
    EXPECT_TRUE(driver.has("scrolls"));
    const float x = place.right() - 4;
    driver.drag({x, place.y + 10}, {x, place.bottom() + 50});
    EXPECT_EQ(shown, kLength - place.h) << "the bar stands at its lower end";
    driver.drag({x, place.bottom() - 10}, {x, place.y - 50});
    EXPECT_EQ(shown, 0);
    EXPECT_EQ(clicks, 0);
    driver.scroll(place.center(), -1);
    EXPECT_GT(shown, 0);
    driver.click_at(place.center());
    EXPECT_EQ(clicks, 1);
}

TEST(ScrollBar, IsThereOnlyWhereSomethingIsOutOfSight) {
    Look look;
    float offset = 30;
    Driver driver(640, 360, [&](double seconds) {
        look.now_seconds += seconds;
        ImGui::Begin("screen");
        EXPECT_EQ(scroll_in(look, {20, 20, 200, 200}, 200, offset), 0);
        ImGui::End();
    });
    driver.frames(2);
    EXPECT_FALSE(driver.has("scrolls"));
}

}  // namespace
}  // namespace tilereel::controls_test
