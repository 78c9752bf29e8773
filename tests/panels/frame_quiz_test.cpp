// Key Q: the window asks what the next request will cost before it shows it.
#include <gtest/gtest.h>

#include "app/workbench/playhead.h"
#include "tests/panels/frame_window.h"

namespace tilereel::frame_quiz_test {
namespace {

// Q asks about the next request; a digit chooses; Page Down shows what was recorded.
TEST(PredictFirst, AsksBeforeItShows) {
    FrameWindow window(small_request("08_tiled_b_transposed", 32, 32));
    window.driver.press('q');
    window.driver.frames(3, kLongestBeatSeconds);
    EXPECT_TRUE(window.driver.has("quiz.card"));
    const Quiz& quiz = window.bench.quiz();
    while (quiz.asked() && quiz.asked()->choices[quiz.asked()->right] < 32) {
        const std::uint32_t step = quiz.asked()->step;
        EXPECT_LE(window.bench.position(), window.bench.replay()->schedule().steps[step].begin);
        window.driver.press(Key::kPageDown);  // the answer
        window.driver.frames(3, kLongestBeatSeconds);
        EXPECT_EQ(window.bench.replay()->state().request.step, step);
        window.driver.press(Key::kPageDown);  // the next question
        window.driver.frames(3, kLongestBeatSeconds);
    }
    // The transposed store of B's tile: 32 lanes, one bank.
    ASSERT_TRUE(quiz.asked());
    EXPECT_EQ(quiz.asked()->unit, "wavefronts");
    window.driver.press(static_cast<char>('1' + quiz.asked()->right));
    window.driver.press(Key::kPageDown);
    EXPECT_EQ(quiz.right(), 1u);
    EXPECT_EQ(quiz.predicted(), 1u);
    // The digit chose an answer, not a mode.
    EXPECT_EQ(window.bench.view().mode, WindowMode::kReplay);
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(quiz.on());
    EXPECT_FALSE(window.driver.has("quiz.card"));
}

TEST(PredictFirst, TheFirstRequestIsNotShownBeforeTheAnswer) {
    FrameWindow window;
    window.driver.press('q');
    ASSERT_TRUE(window.bench.quiz().asked());
    EXPECT_EQ(window.bench.quiz().asked()->step, 0u);
    EXPECT_EQ(window.bench.replay()->state().request.step, kNoStep);
    EXPECT_EQ(plain_text(window.bench.replay()->sentence()), "Block 0,0 has not begun.");
    window.driver.press(Key::kPageDown);
    window.driver.frames(3, kLongestBeatSeconds);
    EXPECT_EQ(window.bench.replay()->state().request.step, 0u);
    window.driver.press(Key::kEscape);
    window.driver.press(Key::kHome);
    EXPECT_EQ(window.bench.position(), 0);
    EXPECT_EQ(window.bench.replay()->state().request.step, 0u);
}

TEST(PredictFirst, AWrongChoiceCountsAsAPredictionButNotAsRight) {
    FrameWindow window;
    window.driver.press('q');
    window.driver.frames(2, kLongestBeatSeconds);
    const Quiz& quiz = window.bench.quiz();
    window.driver.click("lesson.choice." + std::to_string(quiz.asked()->right == 0 ? 1 : 0));
    window.driver.press(Key::kPageDown);
    EXPECT_EQ(quiz.predicted(), 1u);
    EXPECT_EQ(quiz.right(), 0u);
}

}  // namespace
}  // namespace tilereel::frame_quiz_test
