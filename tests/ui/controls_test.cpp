// The controls, by mouse and keyboard, in process.
#include <array>
#include <string>
#include <vector>

#include "app/ui/widgets.h"
#include "tests/window/driver.h"

namespace tilereel {
namespace {

struct Screen {
    Look look;
    int plays = 0;
    int unit = 1, unit_clicks = 0;
    int tile = 0, chosen = 0;
    std::vector<std::string> tiles = {"2", "4", "8", "16", "32"};
    std::array<int, 3> extents = {16, 16, 16};
    int commits = 0;

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
        commits +=
            extents_chip(look, "chip.extents", {130, 20, 200, 36}, extents.data(), "") ? 1 : 0;
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

TEST_F(ControlsTest, KeysAreTheFieldsWhileOneIsEdited) {
    driver_.click("chip.extents.m");
    push_key({Key::kCharacter, 'p', false, false});
    bool seen = false;
    Driver* driver = &driver_;
    driver->frame();
    seen = !keys_of_frame().empty();
    EXPECT_FALSE(seen);
}

TEST_F(ControlsTest, TipAppearsAfterAMoment) {
    const auto foreground_vertices = [] { return ImGui::GetForegroundDrawList()->VtxBuffer.Size; };
    driver_.hover("play");
    EXPECT_EQ(foreground_vertices(), 0);
    driver_.frames(60);
    EXPECT_GT(foreground_vertices(), 0);
}

}  // namespace
}  // namespace tilereel
