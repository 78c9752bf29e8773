// Every key that the help lists acts, in windows of four sizes and with small and large text. The
// expected effects are those that the help names.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/panels/overlay/help.h"
#include "tests/panels/keys/every_key_window.h"

namespace tilereel::every_key_test {
using namespace every_key;
using every_key::Size;  // not that of pictures
namespace {

std::string name_of(const Size& size) {
    return std::to_string(static_cast<int>(size.width)) + " x " +
           std::to_string(static_cast<int>(size.height)) + ", text " + std::to_string(size.text_px);
}

// The rows of the help, as the window shows them.
const std::map<std::string, Check>& checks() {
    static const std::map<std::string, Check> kChecks = {
        {"Space", check_play},
        {"Left  Right", [](const Size& s) { check_steps(s, Key::kRight, Key::kLeft, false); }},
        {"Page Up  Page Down",
         [](const Size& s) { check_steps(s, Key::kPageDown, Key::kPageUp, false); }},
        {"Shift+Left  Shift+Right",
         [](const Size& s) { check_steps(s, Key::kRight, Key::kLeft, true); }},
        {"Home  End", [](const Size& s) { check_steps(s, Key::kEnd, Key::kHome, false); }},
        {"A",
         [](const Size& s) {
             SizedWindow window(s);
             window.driver.press('a');
             EXPECT_TRUE(window.bench.looping());
         }},
        {"[  ]", [](const Size& s) { SizedWindow(s).expect_keys_act(); }},
        {"N  G  E", check_jumps},
        {"J", check_go_to},
        {"Y", check_look},
        {"Alt+Left  Alt+Right", check_jump_back},
        {"Shift+Home", check_opening},
        {"K",
         [](const Size& s) {
             check_kernel(s);
             check_block(s);
         }},
        {"Tab", check_sizes},
        {"P", check_opening},
        {"Shift+B", check_leaving_out},
        {"D", check_gpu},
        {"C", check_compare},
        {"Enter  Tab", check_suggestion},
        {"Enter", check_missing_files},
        {"W  L", check_look},
        {"M  X", check_tensor},
        {"Shift+M", check_tensor},
        {"O", check_look},
        {"U", check_look},
        {"Shift+U", check_look},
        {"H", check_look},
        {"I", check_look},
        {"0", check_look},
        {"Ctrl+O  Ctrl+R", check_files},
        {"Shift+K", check_program},
        {"Ctrl+E",
         [](const Size& s) {
             check_editor(s);
             check_editor_of_kernel(s);
         }},
        {"F2", check_edit},
        {"Ctrl+S  Esc", check_edit},
        {"Ctrl+Z  Ctrl+Y", check_edit},
        {"Ctrl+F  F3", check_edit},
        {"Ctrl+X  Ctrl+C  Ctrl+V", check_edit},
        {"1  2  3  4  5", check_window},
        {"F10", check_bar},
        {"Ctrl+Tab  Ctrl+Shift+Tab", check_tabs},
        {"T", check_window},
        {"Z", check_window},
        {"+  -", check_window},
        {"F  F11", check_window},
        {"Ctrl+S", check_pictures},
        {"Ctrl+C  Ctrl+Shift+C", check_pictures},
        {"?  F1", check_help},
        {"Esc", check_help},
        {"F5", check_presenting},
        {"M  S  D  X", check_presenting},
        {"B  .  W", check_presenting},
        {"Q", check_quiz},
        {"Enter  Esc", check_race},
        {"Enter  Page Down", check_patterns},
        {"Left Right  Up Down", check_patterns},
        {"A  N", check_matrix_patterns},
        {"P  L", check_matrix_patterns},
        {"Tab  Up Down  Enter", check_time},
        {"Left Right", check_time},
    };
    return kChecks;
}

// Rows that other tests cover: frame_race_test, race_own_frame_test, frame_lesson_test,
// frame_exercise_test, frame_program_values_test, trust_offer_test, real_window_test,
// context_menu_test; and the mouse.
const std::set<std::string>& rows_elsewhere() {
    static const std::set<std::string> kRows = {"R",
                                                "R  C",
                                                "V",
                                                ",  .",
                                                "L",
                                                "Ctrl+Q",
                                                "Menu  Shift+F10",
                                                "Right click",
                                                "Page Down  Page Up",
                                                "Up Down  Enter",
                                                "H  J",
                                                "N",
                                                "C  S",
                                                "O  Esc",
                                                "Shift+T",
                                                "Mouse wheel",
                                                "Drag the picture",
                                                "Click an array's strip",
                                                "Click on a cell",
                                                "Click on a block",
                                                "Drag the timeline"};
    return kRows;
}

TEST(EveryKey, OfTheHelpIsTested) {
    for (const HelpGroup& group : help_groups())
        for (const KeyHelp& key : group.keys)
            EXPECT_TRUE(checks().contains(key.keys) || rows_elsewhere().contains(key.keys))
                << key.keys;
}

class KeysAtSize : public ::testing::TestWithParam<Size> {};

TEST_P(KeysAtSize, EveryKeyOfTheHelpActs) {
    std::vector<void (*)(const Size&)> done;  // one check covers several rows
    for (const auto& [keys, check] : checks()) {
        using Function = void (*)(const Size&);
        if (const auto* const function = check.target<Function>()) {
            if (std::ranges::count(done, *function) > 0) continue;
            done.push_back(*function);
        }
        SCOPED_TRACE(std::string(keys) + " at " + name_of(GetParam()));
        check(GetParam());
    }
}

INSTANTIATE_TEST_SUITE_P(Windows, KeysAtSize,
                         ::testing::Values(Size{1280, 720, 14}, Size{1280, 720, 28},
                                           Size{1366, 768, 14}, Size{1366, 768, 28},
                                           Size{1920, 1080, 14}, Size{1920, 1080, 28},
                                           Size{3840, 2160, 14}, Size{3840, 2160, 28}));

}  // namespace
}  // namespace tilereel::every_key_test
