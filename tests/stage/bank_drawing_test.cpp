// What is drawn at the banks: numbers that can be read, lanes that wait, wavefronts that a request
// does not need.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/stage/shared/bank_use.h"
#include "tests/stage/stage_frame.h"

namespace tilereel::bank_drawing_test {
namespace {

using stage::BankUse;
using stage::look_of_bank;

constexpr Rect kHalf{0, 0, 671, 470};       // of a comparison at 1366 x 768
constexpr Rect kNotebook{0, 0, 1022, 548};  // the stage at 1366 x 768
constexpr Rect kHall{0, 0, 1400, 675};      // the stage at 1920 x 1080 with text twice as large

class BankDrawing : public StageFrame {
  protected:
    // Seeks to the first shared request of this array for which `wanted(replay)` holds.
    template <class Wanted>
    static bool seek(Workbench& bench, const char* array, Operation operation, Wanted&& wanted) {
        const std::vector<Step> steps = bench.replay()->schedule().steps;
        const Trace& trace = bench.replay()->trace();
        for (const Step& step : steps) {
            const Site& site = trace.sites[step.site];
            if (site.array == kNoArray || trace.arrays[site.array].name != array ||
                site.operation != operation)
                continue;
            bench.apply(Command{SeekTo{static_cast<double>(step.begin), false}});
            if (wanted(*bench.replay())) return true;
        }
        return false;
    }

    std::vector<DrawnText> texts(const Workbench& bench, const Rect& rect, float text = 1) {
        for (int i = 0; i < 60; ++i) frame(bench, 1.0 / 60, rect, text);
        std::vector<DrawnText> drawn;
        record_drawn_text(&drawn);
        frame(bench, 1.0 / 60, rect, text);
        record_drawn_text(nullptr);
        return drawn;
    }
};

// Banks of 12 pixels: all of them have their number, in small type.
TEST_F(BankDrawing, NumbersOfNarrowBanksAreCompleteAndApart) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    for (const std::uint32_t column : {11u, 12u}) {
        ASSERT_TRUE(seek(bench, "Bs", Operation::kLoad, [&](const Replay& replay) {
            return replay.state().request.lanes[0].column == column;
        }));
        const std::vector<DrawnText> all = texts(bench, kHalf);
        Rect banks;
        ASSERT_TRUE(find_widget("stage.banks", banks));
        std::vector<DrawnText> numbers;
        for (const DrawnText& text : all)
            if (banks.contains(text.box.center())) numbers.push_back(text);
        ASSERT_EQ(numbers.size(), 32u);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            EXPECT_GE(numbers[i].px, 8) << numbers[i].text;
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_FALSE(cross(numbers[i].box, numbers[j].box))
                    << numbers[i].text << " on " << numbers[j].text;
        }
        const auto served = std::ranges::find(numbers, std::to_string(column), &DrawnText::text);
        ASSERT_NE(served, numbers.end());
        EXPECT_NEAR(served->box.center().x,
                    banks.x + banks.w * (static_cast<float>(column) + 0.5f) / 32, 2);
    }
}

TEST_F(BankDrawing, LargeNumbersOfLanesFitIntoTheirCells) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    bench.apply(Command{SetGeneration{"1.0"}});  // 16 banks, which are wider than 32
    ASSERT_TRUE(seek(bench, "Bs", Operation::kLoad, [](const Replay&) { return true; }));
    std::size_t inside = 0;
    for (const DrawnText& text : texts(bench, kHall, 2))
        for (const MovingCell& cell : moving_cells())
            if (cell.rect.contains(text.box.center())) {
                EXPECT_GE(cell.rect.h, text.px) << text.text;
                ++inside;
            }
    EXPECT_GT(inside, 16u);
}

// A store of 16 bytes a lane takes 4 wavefronts. The row has room for 32.
TEST_F(BankDrawing, WavefrontsThatARequestDoesNotNeedHaveNoFill) {
    Workbench bench = workbench("18_warp_tiled", {32, 32, 16, 32, 0});
    ASSERT_TRUE(seek(bench, "Bs", Operation::kStore, [](const Replay&) { return true; }));
    ASSERT_EQ(bench.replay()->state().request.cost.wavefronts, 4u);
    frame(bench, 1.0 / 60, kNotebook);
    const std::vector<MovingCell> all = moving_cells();
    EXPECT_EQ(std::ranges::count(all, CellLook::kStale, &MovingCell::look), 28);
    EXPECT_EQ(std::ranges::count(all, CellLook::kIdle, &MovingCell::look), 0);
}

TEST_F(BankDrawing, TheWavefrontsOfARequestHaveRoomAtAnyHeight) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    ASSERT_TRUE(seek(bench, "Bs", Operation::kLoad, [](const Replay&) { return true; }));
    for (const float height : {620.0f, 640.0f, 660.0f, 680.0f, 700.0f, 760.0f}) {
        const std::vector<DrawnText> all = texts(bench, {0, 0, 1003, height});
        EXPECT_TRUE(std::ranges::any_of(all, [](const DrawnText& text) {
            return text.text == "wavefronts of this request";
        })) << height;
    }
}

TEST_F(BankDrawing, ALaneThatWaitsWithoutAConflictIsDashedInItsColour) {
    BankUse use;
    use.waiting = {8};
    use.wavefronts = 1;
    EXPECT_EQ(look_of_bank(use), CellLook::kBeingCopied);
    use.wavefronts = 2;
    EXPECT_EQ(look_of_bank(use), CellLook::kConflictWaiting);
}

// The element of C that grows at this moment is filled. Its value is written on the fill.
TEST_F(BankDrawing, TheSumThatGrowsKeepsItsValue) {
    Workbench bench = workbench("16_vectorized", {16, 16, 16, 16, 0});
    const ImU32 on = Look{}.colors().on;
    std::size_t found = 0;
    ASSERT_TRUE(seek(bench, "Bs", Operation::kLoad, [&](const Replay&) {
        const std::vector<DrawnText> all = texts(bench, kNotebook);
        Rect c;
        if (!find_widget("stage.c", c)) return false;
        found = static_cast<std::size_t>(std::ranges::count_if(all, [&](const DrawnText& text) {
            return text.color == on && c.contains(text.box.center());
        }));
        return found > 0;
    }));
    EXPECT_EQ(found, 1u);
}

}  // namespace
}  // namespace tilereel::bank_drawing_test
