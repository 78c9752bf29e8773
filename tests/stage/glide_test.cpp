// After P each word slides to its new bank in 400 ms, and the number of wavefronts counts down.
#include "app/stage/glide.h"

#include <gtest/gtest.h>

#include "tests/stage/stage_frame.h"

namespace tilereel::glide_test {
namespace {

const Rect kStage{0, 0, 1048, 800};

class Glide : public StageFrame {
  protected:
    // The texts of a frame `seconds` after the one before.
    std::vector<DrawnText> texts_after(const Workbench& bench, double seconds) {
        std::vector<DrawnText> texts;
        record_drawn_text(&texts);
        frame(bench, seconds, kStage);
        record_drawn_text(nullptr);
        return texts;
    }
    static bool shows(const std::vector<DrawnText>& texts, const std::string& words) {
        return std::ranges::any_of(texts, [&](const DrawnText& t) { return t.text == words; });
    }
    // Where element (5, 3) of Bs lies in the last frame.
    [[nodiscard]] Rect word() const {
        for (std::size_t i = 0; i < view_.glide.last.views.size(); ++i)
            if (view_.glide.last.names[i] == "Bs") return view_.glide.last.views[i].cell_of({5, 3});
        return {};
    }
    static bool a_cell_is_at(ImVec2 center) {
        return std::ranges::any_of(moving_cells(), [&](const MovingCell& cell) {
            return std::abs(cell.rect.center().x - center.x) < 0.6f &&
                   std::abs(cell.rect.center().y - center.y) < 0.6f;
        });
    }
    // The first read of Bs in 08: 32 words of one bank.
    void go_to_conflict(Workbench& bench) {
        const Replay& replay = *bench.replay();
        for (const Step& step : replay.schedule().steps)
            if (const Site& site = replay.trace().sites[step.site];
                site.operation == Operation::kLoad && site.array != kNoArray &&
                replay.trace().arrays[site.array].name == "Bs") {
                bench.apply(Command{SeekTo{static_cast<double>(step.begin), false}});
                break;
            }
        frame(bench, 0.5, kStage);
    }
};

TEST_F(Glide, WordsSlideToTheirBanksAndTheQueueShrinks) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    go_to_conflict(bench);
    const Rect before = word();
    bench.apply(Command{TogglePad{}});
    EXPECT_TRUE(shows(texts_after(bench, 0), "32 wavefronts"));
    const Rect after = word();
    // With a word of padding element (5, 3) lies in bank (5 * 33 + 3) % 32 = 8.
    EXPECT_NEAR(after.x - before.x, 5 * after.w, 1);
    EXPECT_TRUE(a_cell_is_at(before.center()));
    const std::vector<DrawnText> half_way = texts_after(bench, 0.2);
    EXPECT_TRUE(shows(half_way, "17 wavefronts"));  // from 32 to 1
    EXPECT_FALSE(shows(half_way, "every lane has a bank of its own"));
    EXPECT_TRUE(a_cell_is_at(
        {(before.center().x + after.center().x) / 2, (before.center().y + after.center().y) / 2}));
    const std::vector<DrawnText> texts = texts_after(bench, 0.3);
    EXPECT_TRUE(shows(texts, "1 wavefront, no conflict"));
    EXPECT_TRUE(shows(texts, "every lane has a bank of its own"));
    EXPECT_FALSE(a_cell_is_at(after.center()));  // the grid is drawn again
}

TEST_F(Glide, WithoutMotionThePictureChangesAtOnce) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    go_to_conflict(bench);
    bench.apply(Commands{SetMotion{false}, TogglePad{}});
    EXPECT_TRUE(shows(texts_after(bench, 0), "1 wavefront, no conflict"));
}

TEST_F(Glide, AnotherKernelDoesNotGlide) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    go_to_conflict(bench);
    bench.apply(Command{SetKernel{"09_tiled"}});
    frame(bench, 0, kStage);
    EXPECT_LT(view_.glide.begun, 0);
}

}  // namespace
}  // namespace tilereel::glide_test
