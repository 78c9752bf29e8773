// Figures and lanes glide with the words of shared memory: in the inspector after P, and in the
// Pattern lab after another swizzle. A barrier's mark opens.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_glide_test {
namespace {

constexpr double kAtOnce = 1e-6;  // seconds

// Whether the words stand in a frame that is drawn `seconds` after the one before.
bool says(FrameWindow& window, const std::string& words, double seconds) {
    const auto texts = texts_of([&] { window.driver.frame(seconds); });
    return std::ranges::any_of(texts, [&](const DrawnText& text) { return text.text == words; });
}

// The first read of Bs in 08: 32 words of one bank.
void go_to_conflict(FrameWindow& window) {
    const Replay& replay = *window.bench.replay();
    for (const Step& step : replay.schedule().steps)
        if (const Site& site = replay.trace().sites[step.site];
            site.operation == Operation::kLoad && site.array != kNoArray &&
            replay.trace().arrays[site.array].name == "Bs") {
            window.bench.apply(Command{SeekTo{static_cast<double>(step.begin), false}});
            break;
        }
    window.driver.frames(3);
}

TEST(Glides, TheInspectorsFiguresCountDownAfterP) {
    FrameWindow window(small_request("08_tiled_b_transposed", 32, 32));
    go_to_conflict(window);
    EXPECT_TRUE(says(window, "31", kAtOnce));
    window.bench.apply(Command{TogglePad{}});
    EXPECT_TRUE(says(window, "31", kAtOnce));  // conflicts
    EXPECT_TRUE(says(window, "16", 0.2));      // half of 31, rounded up
    EXPECT_TRUE(says(window, "conflicts", kAtOnce));
    EXPECT_TRUE(says(window, "wavefront", 0.3));
    EXPECT_FALSE(says(window, "31 conflicts", kAtOnce));
    // And up again.
    window.bench.apply(Command{TogglePad{}});
    EXPECT_TRUE(says(window, "wavefront", kAtOnce));
    EXPECT_TRUE(says(window, "wavefronts", 0.5));
}

TEST(Glides, WithoutMotionTheFiguresChangeAtOnce) {
    FrameWindow window(small_request("08_tiled_b_transposed", 32, 32));
    go_to_conflict(window);
    window.bench.apply(Commands{SetMotion{false}, TogglePad{}});
    EXPECT_TRUE(says(window, "wavefront", kAtOnce));
}

struct LabWindow : FrameWindow {
    LabWindow() {
        driver.press('4');
        PatternQuestion question = bench.lab().question();
        question.expression = "tx*32 + ty";  // 32 words of one bank
        question.block = {32, 32, 1};
        bench.apply(Command{AskPattern{question}});
        driver.frames(3, 0.5);
    }
    void swizzle(std::int64_t rows) {
        PatternQuestion question = bench.lab().question();
        question.layout.swizzle = rows;
        bench.apply(Command{AskPattern{question}});
    }
    [[nodiscard]] Rect lane(std::uint32_t lane, std::uint32_t word = 0) {
        const auto& cells = state.panels.parts().patterns.gliding.last;
        const auto found = cells.find({lane, word});
        return found == cells.end() ? Rect{} : found->second;
    }
};

TEST(Glides, LanesSlideToTheBanksOfASwizzle) {
    LabWindow window;
    EXPECT_TRUE(says(window, "32", kAtOnce));
    const Rect before = window.lane(9);
    ASSERT_GT(before.w, 0);
    window.swizzle(32);
    EXPECT_TRUE(says(window, "wavefronts of warp 0; the ideal is 1", kAtOnce));
    EXPECT_NEAR(window.lane(9).x, before.x, 0.5f);
    EXPECT_TRUE(window.driver.has("patterns.gliding.9.0"));
    EXPECT_TRUE(says(window, "17", 0.2));  // wavefronts, from 32 to 1
    const Rect half_way = window.lane(9);
    EXPECT_TRUE(says(window, "wavefront of warp 0; the ideal is 1", 0.3));
    EXPECT_FALSE(window.driver.has("patterns.gliding.9.0"));
    const Rect after = window.lane(9);
    EXPECT_GT(after.x, before.x + 8 * before.w);  // from bank 0 to bank 9
    EXPECT_NEAR(half_way.x, (before.x + after.x) / 2, 1);
    EXPECT_NEAR(half_way.y, (before.y + after.y) / 2, 1);
}

// Of a wide access each word slides by itself.
TEST(Glides, TheWordsOfALaneStayBesideEachOther) {
    LabWindow window;
    PatternQuestion question = window.bench.lab().question();
    question.expression = "lane";
    question.width_bytes = 16;
    window.bench.apply(Command{AskPattern{question}});
    window.driver.frames(3, 0.5);
    window.swizzle(2);
    window.driver.frame(0.2);
    EXPECT_TRUE(window.driver.has("patterns.gliding.9.3"));
    for (const std::uint32_t word : {1u, 2u, 3u})
        EXPECT_NEAR(window.lane(9, word).x - window.lane(9, word - 1).x, window.lane(9).w, 3);
}

TEST(Glides, AnotherQuestionDoesNotGlide) {
    LabWindow window;
    PatternQuestion question = window.bench.lab().question();
    question.expression = "lane";
    window.bench.apply(Command{AskPattern{question}});
    EXPECT_TRUE(says(window, "wavefront of warp 0; the ideal is 1", kAtOnce));
    EXPECT_FALSE(window.driver.has("patterns.gliding.9.0"));
    window.bench.apply(Command{SetMotion{false}});
    window.swizzle(4);
    window.driver.frame(kAtOnce);
    EXPECT_FALSE(window.driver.has("patterns.gliding.9.0"));
}

// The mark of the barrier parts on the timeline, too.
TEST(Glides, ABarriersMarkOpensOnTheTimeline) {
    FrameWindow window;
    const Tick barrier = window.bench.replay()->schedule().barriers.front().at;
    window.bench.apply(Command{SeekTo{static_cast<double>(barrier) - 1, false}});
    window.driver.frames(2);
    EXPECT_FALSE(window.driver.has("timeline.opening"));
    window.bench.apply(Command{StepForward{}});
    window.driver.frames(18);
    const Rect mark = window.driver.rect_of("timeline.opening");
    const Rect track = window.driver.rect_of("timeline.track");
    const auto ticks = static_cast<float>(window.bench.replay()->schedule().ticks);
    EXPECT_NEAR(mark.center().x, track.x + track.w * static_cast<float>(barrier) / ticks, 1);
    window.driver.frames(40);
    EXPECT_FALSE(window.driver.has("timeline.opening"));
}

}  // namespace
}  // namespace tilereel::frame_glide_test
