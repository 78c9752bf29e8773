// Keys that come faster than frames are drawn. What they do must not depend on the frame rate.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/panel_memory.h"
#include "tests/panels/frame_window.h"

namespace tilereel::quick_keys_test {
namespace {

using Presses = std::vector<KeyPress>;

void add_text(Presses& to, std::string_view text) {
    for (const char c : text) to.push_back({Key::kCharacter, static_cast<unsigned char>(c)});
}

void add(Presses& to, Key key, bool shift = false) { to.push_back({key, 0, shift, false}); }

// Things that a user does, each as the keys that do it.
Presses some_action(std::mt19937& random) {
    static constexpr std::array kNamed = {Key::kRight,    Key::kLeft, Key::kPageDown, Key::kPageUp,
                                          Key::kPageDown, Key::kHome, Key::kEnd,      Key::kRight};
    static constexpr std::array<std::string_view, 20> kTyped = {
        "g", "n", "w", "l", "y", "o", "u", "h", "t", "z", "+", "-", "p", "[", "]", "0",
        // Page keys and back, and cards that close again.
        "41", "21", "31", "ii"};
    static constexpr std::array<std::string_view, 12> kThenEnter = {
        "j7",        "jline 20", "jb 1,1", "jwarp 1",   "jlane 9", "k08_tiled_b",
        "k09_tiled", "dgtx 280", "dh100",  "c02_naive", "?zoom",   "j31"};
    // Menus and fields that are opened and left, and keys with a partner.
    static const std::array<Presses, 8> kLeft = {
        Presses{{Key::kMenu}, {Key::kDown}, {Key::kEscape}},
        Presses{{Key::kF10}, {Key::kRight}, {Key::kRight}, {Key::kRight}, {Key::kEscape}},
        Presses{{Key::kF10}, {Key::kTab}, {Key::kLeft}, {Key::kEscape}},
        Presses{{Key::kMenu}, {Key::kEnter}},
        Presses{{Key::kJumpBack}},
        Presses{{Key::kJumpForward}},
        Presses{{Key::kCharacter, U'n', true}, {Key::kCharacter, U'e', false}},
        Presses{{Key::kHome, 0, true}}};
    Presses presses;
    switch (random() % 9) {
        case 0:
        case 1:
        case 2:
            add(presses, kNamed[random() % kNamed.size()], random() % 4 == 0);
            break;
        case 3:
        case 4:
            add_text(presses, kTyped[random() % kTyped.size()]);
            break;
        case 5:
        case 6:
            add_text(presses, kThenEnter[random() % kThenEnter.size()]);
            add(presses, Key::kEnter);
            break;
        case 7:
            presses = kLeft[random() % kLeft.size()];
            break;
        default:
            add(presses, Key::kTab);
            add_text(presses, random() % 2 == 0 ? "16" : "32");
            add(presses, Key::kEnter);
    }
    return presses;
}

// Actions with so many keys in all.
std::vector<Presses> session(unsigned seed, std::size_t keys) {
    std::mt19937 random(seed);
    std::vector<Presses> actions;
    for (std::size_t sum = 0; sum < keys; sum += actions.back().size())
        actions.push_back(some_action(random));
    return actions;
}

// All that keys can change, in words.
std::string state_of(const FrameWindow& window) {
    const Workbench& bench = window.bench;
    const ViewState& view = bench.view();
    const KernelParameters& p = bench.request().parameters;
    const WatchedThread& lanes = bench.watched_thread();
    std::string text = bench.request().kernel + " " + std::to_string(p.m) + "x" +
                       std::to_string(p.n) + "x" + std::to_string(p.k) + " tile " +
                       std::to_string(p.tile) + " pad " + std::to_string(p.pad);
    text += " block " + std::to_string(bench.replay()->block()) + " tick " +
            std::to_string(bench.replay()->state().tick) + " speed " +
            std::to_string(bench.speed()) + " on " + std::string(bench.generation().id);
    if (bench.comparing()) text += " with " + bench.compared_with()->kernel;
    text += " warp " + std::to_string(lanes.chosen_warp().value_or(99)) + " lane " +
            std::to_string(lanes.chosen_lane().value_or(99));
    for (const int part : {static_cast<int>(view.mode), static_cast<int>(view.tab),
                           static_cast<int>(view.sides), static_cast<int>(view.light), view.text_px,
                           static_cast<int>(view.motion), static_cast<int>(view.heat),
                           static_cast<int>(view.line_figure), static_cast<int>(view.help),
                           static_cast<int>(view.introduction), static_cast<int>(view.phase_table)})
        text += " " + std::to_string(part);
    return text;
}

constexpr std::size_t kPart = 8;  // actions, after which the states are compared

// The state after each part of the session. `burst`: the most keys that come within a frame; 0:
// some frames are drawn after each key.
std::vector<std::string> states_of(const std::vector<Presses>& actions, unsigned burst) {
    FrameWindow window(small_request("09_tiled", 32, 8));
    std::mt19937 random(7);
    std::vector<std::string> states;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        for (const KeyPress& press : actions[i]) {
            push_key(press);
            if (burst == 0)
                window.driver.frames(6);
            else if (random() % burst == 0)
                window.driver.frame(0.25);  // a slow renderer
        }
        if (i % kPart != kPart - 1 && i + 1 != actions.size()) continue;
        window.driver.frames(60);       // the queued keys
        window.driver.frames(12, 0.3);  // the animation of a step
        states.push_back(state_of(window));
    }
    return states;
}

std::string words_of(std::span<const Presses> actions) {
    std::string text;
    for (const Presses& presses : actions) {
        for (const KeyPress& press : presses)
            text += press.key == Key::kCharacter
                        ? std::string(1, static_cast<char>(press.character))
                        : "<" + std::to_string(static_cast<int>(press.key)) +
                              (press.shift ? "s>" : ">");
        text += " ";
    }
    return text;
}

class QuickSession : public ::testing::TestWithParam<unsigned> {};

TEST_P(QuickSession, LosesNoKeyOnASlowRenderer) {
    const std::vector<Presses> actions = session(GetParam(), 300);
    const std::vector<std::string> slow = states_of(actions, 0), quick = states_of(actions, 5);
    ASSERT_EQ(slow.size(), quick.size());
    for (std::size_t i = 0; i < slow.size(); ++i)
        ASSERT_EQ(quick[i], slow[i])
            << "after " << words_of(std::span(actions).subspan(i * kPart, kPart)) << "\nfrom "
            << (i == 0 ? "the start" : slow[i - 1]);
}

INSTANTIATE_TEST_SUITE_P(Seeds, QuickSession, ::testing::Values(1u, 2u, 3u));

// Keys that follow J within the same frame belong to the prompt, although it has not opened yet.
TEST(QuickKeys, AreNeitherLostNorTakenByThePageWhileAPromptOpens) {
    FrameWindow window;
    for (int i = 0; i < 60; ++i) {
        const std::string tick = std::to_string(1 + (7 * i) % 50);
        push_key({Key::kCharacter, U'j'});
        for (const char c : tick) push_key({Key::kCharacter, static_cast<unsigned char>(c)});
        push_key({Key::kEnter});
        window.driver.frames(10);
        ASSERT_EQ(window.tick() + 1, std::stoul(tick));
        ASSERT_EQ(window.bench.view().mode, WindowMode::kReplay);
    }
}

TEST(QuickKeys, ARefusedTextIsSelected) {
    FrameWindow window;
    window.driver.press('j');
    window.driver.type("99999");
    window.driver.enter();
    window.driver.frames(3);
    ASSERT_TRUE(window.driver.has("goto.field"));
    window.driver.type("7");
    window.driver.enter();
    EXPECT_EQ(window.tick(), 6u);
}

}  // namespace
}  // namespace tilereel::quick_keys_test
