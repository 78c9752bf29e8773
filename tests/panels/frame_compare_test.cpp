// A comparison in the window, played in process.
#include <gtest/gtest.h>

#include "app/workbench/comparison.h"
#include "instrumentation/base/format/with_commas.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/page_of_words.h"

namespace tilereel::frame_compare_test {
namespace {

struct CompareWindow : FrameWindow {
    explicit CompareWindow(float width = 1920, float height = 1080)
        : FrameWindow(small_request("08_tiled_b_transposed", 16, 16), width, height) {}
    void open(const char* row) {
        driver.press('c');
        driver.frames(2);
        driver.click(std::string("chip.compare.") + row);
        driver.frames(2);
    }
};

TEST(ComparePage, TheChipOpensAComparisonAndCShowsLeftThenRightThenBoth) {
    CompareWindow window;
    window.open("PAD 1");
    ASSERT_NE(window.bench.lock_step(), nullptr);
    EXPECT_TRUE(window.driver.has("stage.banks"));
    EXPECT_TRUE(window.driver.has("right.stage.banks"));
    EXPECT_TRUE(window.driver.has("compare.differences"));
    const float half = window.driver.rect_of("compare.left").w;
    window.driver.press('c');
    EXPECT_GT(window.driver.rect_of("compare.left").w, 1.5f * half);
    EXPECT_FALSE(window.driver.has("right.compare.right"));
    window.driver.press('c');
    EXPECT_FALSE(window.driver.has("compare.left"));
    EXPECT_GT(window.driver.rect_of("right.compare.right").w, 1.5f * half);
    window.driver.press('c');
    EXPECT_EQ(window.driver.rect_of("compare.left").w, half);
    window.driver.press(Key::kEscape);
    EXPECT_FALSE(window.bench.comparing());
    EXPECT_TRUE(window.driver.has("timeline.track"));
}

TEST(ComparePage, OneTransportMovesBothSides) {
    CompareWindow window;
    window.open("PAD 1");
    window.driver.press(Key::kRight);
    window.finish_step();
    const LockStep& steps = *window.bench.lock_step();
    EXPECT_EQ(static_cast<Tick>(window.bench.common_position()), steps.entries()[0].end());
    const Rect track = window.driver.rect_of("compare.track.left");
    window.driver.drag({track.x + 0.1f * track.w, track.center().y},
                       {track.x + 0.5f * track.w, track.center().y},
                       [&] { EXPECT_TRUE(window.bench.scrubbing()); });
    EXPECT_FALSE(window.bench.scrubbing());
    EXPECT_NEAR(window.bench.position(),
                0.5 * static_cast<double>(window.bench.replay()->schedule().ticks),
                0.02 * static_cast<double>(window.bench.replay()->schedule().ticks) + 2);
    EXPECT_EQ(window.bench.other()->replay()->state().step,
              steps.entry_at(window.bench.common_position()).step[1]);
    window.driver.press('n');  // the left side's next conflict
    EXPECT_GT(window.bench.replay()->state().request.cost.bank_conflicts, 0u);
    window.driver.press(' ');
    window.driver.frames(20);
    EXPECT_TRUE(window.bench.playing());
    EXPECT_TRUE(window.bench.other()->playing());
    window.driver.press(Key::kEnd);
    window.driver.frames(2);
    EXPECT_TRUE(window.driver.has("sentence"));
}

// In a half of a narrow window the text has a shorter form ("32/32"), so that it is not cut.
TEST(ComparePage, TheNumberOfLanesOfARequestIsNotCut) {
    std::size_t found = 0;
    for (const Size size : {Size{1280, 720}, Size{1366, 768}}) {
        FrameWindow window(small_request("09_tiled", 32, 16), static_cast<float>(size.width),
                           static_cast<float>(size.height));
        Subject side = side_of(window.bench);
        side.tile = 8;
        window.bench.apply(Command{Compare{{}, side}});
        window.driver.frames(3);
        for (const DrawnText& drawn : texts_of([&] { window.driver.frame(); })) {
            if (drawn.text.find("of 32") == std::string::npos && drawn.text != "32/32") continue;
            ++found;
            EXPECT_FALSE(drawn.shortened) << drawn.text << " at " << size.width;
        }
    }
    EXPECT_GE(found, 1u);
}

// A click on a cell of the right picture moves both sides to its next access.
TEST(ComparePage, AClickOnTheRightPictureGoesToTheAccess) {
    CompareWindow window;
    window.open("PAD 1");
    const Rect a = window.driver.rect_of("right.stage.a");
    window.driver.click_at({a.x + 0.4f * a.w, a.y + 0.4f * a.h});
    window.driver.frames(2);
    const Replay& right = *window.bench.other()->replay();
    ASSERT_NE(right.state().step, kNoStep);
    const Step& step = right.schedule().steps[right.state().step];
    EXPECT_EQ(right.trace().arrays[right.trace().sites[step.site].array].name, "A");
    EXPECT_EQ(window.bench.lock_step()->entry_at(window.bench.common_position()).step[1],
              right.state().step);
}

// On a projector the two pictures get the room of the counters: values of a small tile are
// readable, and cells of a larger one. One side alone has the counters, and so has a large window.
TEST(ComparePage, OnAProjectorTheTilesAreLargeEnough) {
    const auto values = [](CompareWindow& window, const std::string& array) {
        const Rect tile = window.driver.rect_of("stage.shared." + array);
        std::size_t inside = 0;
        for (const DrawnText& drawn : texts_of([&] { window.driver.frames(1); }))
            inside += tile.contains(drawn.box.center()) ? 1 : 0;
        return inside;
    };
    CompareWindow window(1280, 720);
    window.bench.apply(SetTextSize{28});
    window.bench.apply(
        Command{WatchKernel{"09_tiled", small_request("09_tiled", 16, 8).parameters}});
    Subject naive = side_of(window.bench);
    naive.kernel = "02_naive";
    window.bench.apply(Command{Compare{{}, naive}});
    window.driver.frames(3);
    ASSERT_NE(window.bench.lock_step(), nullptr);
    EXPECT_FALSE(window.driver.has("compare.differences"));
    window.bench.apply(SeekBoth{static_cast<double>(window.bench.lock_step()->ticks()), false});
    window.driver.frames(2);
    EXPECT_EQ(values(window, "As"), 64u);
    EXPECT_EQ(values(window, "Bs"), 64u);
    window.driver.press('c');
    EXPECT_TRUE(window.driver.has("compare.differences"));
    window.driver.press('c');
    window.driver.press('c');
    EXPECT_FALSE(window.driver.has("compare.differences"));

    window.bench.apply(Command{WatchKernel{
        "08_tiled_b_transposed", small_request("08_tiled_b_transposed", 16, 16).parameters}});
    window.driver.frames(3);
    Subject pad = side_of(window.bench);
    pad.pad = 1;
    window.bench.apply(Command{Compare{{}, pad}});
    window.driver.frames(3);
    ASSERT_NE(window.bench.lock_step(), nullptr);
    constexpr float kWords = 16 * 16, kCell = 6;  // pixels, as the side of a square
    const Rect tile = window.driver.rect_of("stage.shared.Bs");
    EXPECT_GE(tile.w * tile.h, kWords * kCell * kCell);
    // Of the counters, each header has the first one that differs.
    const auto texts = texts_of([&] { window.driver.frames(1); });
    for (const Workbench* side :
         std::initializer_list<const Workbench*>{&window.bench, window.bench.other()}) {
        const KernelCounts& counts = side->recording()->counts;
        const std::string conflicts =
            with_commas(counts.shared_load.bank_conflicts + counts.shared_store.bank_conflicts);
        EXPECT_TRUE(std::ranges::any_of(texts, [&](const DrawnText& drawn) {
            return drawn.text.starts_with(conflicts + " bank conflicts");
        })) << conflicts;
    }
    window.driver.resize(1920, 1080);
    EXPECT_TRUE(window.driver.has("compare.differences"));
}

// Words around the pictures are not cut, do not overlap and lie inside the window, at every size.
TEST(ComparePage, CanBeReadAtEverySize) {
    Faults faults;
    for (const Size size : {Size{1280, 720}, Size{1366, 768}, Size{1920, 1080}, Size{3840, 2160}})
        for (const int text : {14, 28}) {
            CompareWindow window(static_cast<float>(size.width), static_cast<float>(size.height));
            window.bench.apply(SetTextSize{text});
            const Rect screen{0, 0, static_cast<float>(size.width),
                              static_cast<float>(size.height)};
            const Subject own = side_of(window.bench);
            Subject pad = own, naive = own, tile = own;
            pad.pad = 1;
            naive.kernel = "02_naive";
            tile.tile = 4;
            for (const Subject& side : {pad, naive, tile}) {
                window.bench.apply(Command{Compare{{}, side}});
                window.driver.frames(3);
                for (const double share : {0.0, 0.4, 1.0}) {
                    ASSERT_NE(window.bench.lock_step(), nullptr) << window.bench.message();
                    const auto ticks = static_cast<double>(window.bench.lock_step()->ticks());
                    window.bench.apply(Command{SeekBoth{share * ticks, true}});
                    window.driver.frames(2);
                    auto texts = texts_of([&] { window.driver.frame(); });
                    // The pictures have tests of their own; here they are smaller.
                    const Rect head = window.driver.rect_of("compare.left");
                    const float foot = window.driver.rect_of("compare.track.left").y;
                    const Rect card = window.driver.has("compare.differences")
                                          ? window.driver.rect_of("compare.differences")
                                          : Rect{};
                    std::erase_if(texts, [&](const DrawnText& drawn) {
                        const ImVec2 at = drawn.box.center();
                        return at.y > head.bottom() && at.y < foot - 60 * window.look.scale &&
                               !card.contains(at);
                    });
                    const Page page{texts, window.look, screen,
                                    side.kernel + ", " + std::to_string(size.width) + ", text " +
                                        std::to_string(text) + ", at " + std::to_string(share)};
                    page.find(faults);
                }
            }
        }
    faults.report();
}

}  // namespace
}  // namespace tilereel::frame_compare_test
