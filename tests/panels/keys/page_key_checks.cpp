// Keys of the other pages: questions, a race, access patterns and the estimated time.
#include "app/panels/panel_memory.h"
#include "tests/panels/keys/every_key_window.h"
#include "tests/panels/race/race_window.h"

namespace tilereel::every_key {

void check_quiz(const Size& size) {
    SizedWindow window(size);
    window.driver.press('q');
    EXPECT_TRUE(window.bench.quiz().on());
}

void check_race(const Size& size) {
    RaceWindow window({.width = size.width, .height = size.height, .text_px = size.text_px});
    window.driver.press(Key::kEnter);
    window.driver.frames(3);
    ASSERT_NE(window.races().shown(), nullptr);
    EXPECT_GT(window.races().shown()->id, 0u) << "a race has begun here";
}

void check_patterns(const Size& size) {
    SizedWindow window(size);
    window.driver.press('4');
    const auto question = [&] { return window.bench.lab().question(); };
    PatternQuestion before = question();
    window.driver.press(Key::kPageDown);
    EXPECT_NE(question(), before);
    before = question();
    window.driver.press(Key::kRight);
    EXPECT_EQ(question().layout.pad, before.layout.pad + 1);
    window.driver.press(Key::kUp);
    EXPECT_EQ(question().layout.swizzle, 2 * before.layout.swizzle);
    window.driver.press(Key::kEnter);
    window.driver.type("7");
    EXPECT_TRUE(window.state.panels.parts().patterns.edit.has_value());
}

// A goes from a load to ldmatrix, whose tile of 64 columns has conflicts until PAD 8 or a swizzle.
void check_matrix_patterns(const Size& size) {
    SizedWindow window(size);
    window.driver.press('4');
    const auto lab = [&]() -> const PatternLab& { return window.bench.lab(); };
    window.driver.press('a');
    EXPECT_EQ(lab().question().operation, Operation::kStore);
    window.driver.press('a');
    EXPECT_EQ(lab().question().operation, Operation::kMatrixLoad);
    EXPECT_EQ(lab().answer().cost.wavefronts, 32u);
    window.driver.press('n');
    EXPECT_EQ(lab().question().matrices, 1u);
    window.driver.press('p');
    EXPECT_EQ(lab().question().layout.pad, 8);
    window.driver.press('l');
    EXPECT_EQ(lab().question().layout.pad, 0);
    EXPECT_EQ(lab().question().expression, "Swizzle<3,3,3> o (64,64):(64,1)");
    EXPECT_EQ(lab().answer().cost.wavefronts, 1u);
    window.driver.press('a');
    window.driver.press('a');
    EXPECT_EQ(lab().question().operation, Operation::kLoad);
}

// Of the made-up estimate the rows are: TILE 32, no conflicts, coalesced, TILE 2, 4, 16.
void check_time(const Size& size) {
    SizedWindow window(size);
    window.driver.press('5');
    window.driver.press(Key::kRight);
    EXPECT_EQ(window.bench.view().time_size, 4096);
    window.driver.press(Key::kLeft);
    window.driver.press(Key::kLeft);
    EXPECT_EQ(window.bench.view().time_size, 1024);
    for (int i = 0; i < 5; ++i) window.driver.press(Key::kTab);
    window.driver.press(Key::kDown);
    window.driver.press(Key::kUp);
    window.driver.press(Key::kEnter);
    EXPECT_EQ(window.parameters().tile, 4);
}

}  // namespace tilereel::every_key
