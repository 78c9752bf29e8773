// The rules for what moves, in whole frames of every kernel at the sizes and text heights of a
// laptop, a desktop and a projector: at most three objects, inside the stage, off all headings.
#include <gtest/gtest.h>

#include "kernels/catalog.h"
#include "tests/stage/stage_frame.h"

namespace tilereel::motion_rules_test {
namespace {

struct Size {
    Rect stage;
    float text;
};
// The stage of windows of 1280 x 720, 1366 x 768 and 1920 x 1080, at text 14 and 28.
const Size kSizes[] = {{{0, 0, 754, 500}, 1}, {{0, 0, 840, 548}, 1},  {{0, 0, 1048, 800}, 1},
                       {{0, 0, 754, 377}, 2}, {{0, 0, 1022, 548}, 2}, {{0, 0, 1400, 675}, 2},
                       {{0, 0, 502, 700}, 1}};

TEST_F(StageFrame, WhatMovesKeepsInsideTheStageAndOffHeadings) {
    std::size_t objects = 0, labels = 0, size = 0;
    for (const KernelInfo& kernel : catalog())
        for (int turn = 0; turn < 3; ++turn) {
            const auto& [stage, text] = kSizes[size++ % std::size(kSizes)];
            Workbench bench = workbench(std::string(kernel.id).c_str(), opening_of(kernel));
            view_ = StageView{};
            const auto ticks = static_cast<double>(bench.replay()->schedule().ticks);
            for (double tick = 1.4; tick < std::min(ticks, 90.0); tick += 2.7) {
                const std::vector<DrawnText> texts = frame_at(bench, tick, stage, text);
                const std::string where =
                    std::string(kernel.id) + " at tick " + std::to_string(tick) + ", stage " +
                    std::to_string(stage.w) + ", text " + std::to_string(text);
                const auto moving = moving_objects();
                ASSERT_LE(moving.size(), stage::kMostMoving) << where;
                objects += moving.size();
                for (const auto& [name, box] : moving) {
                    ASSERT_TRUE(box.x >= stage.x && box.right() <= stage.right() + 0.5f &&
                                box.y >= stage.y && box.bottom() <= stage.bottom() + 0.5f)
                        << name << " leaves the stage, " << where;
                    for (const DrawnText& words : texts)
                        ASSERT_FALSE(is_words(words) && cross(box, words.box))
                            << name << " on \"" << words.text << "\", " << where;
                }
                Rect label;
                if (!find_widget("stage.route", label)) continue;
                ++labels;
                for (const DrawnText& words : texts)
                    ASSERT_FALSE(is_words(words) && cross(label, words.box))
                        << "the label on \"" << words.text << "\", " << where;
            }
        }
    EXPECT_GT(objects, 300u);
    EXPECT_GT(labels, 300u);
}

// Nothing can be followed at eight times the speed, and nothing flies without motion: loaded values
// appear where they rest.
TEST_F(StageFrame, NothingMovesWhereItCannotBeFollowed) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    static_cast<void>(frame_at(bench, 68.5, {0, 0, 1048, 800}, 1));
    EXPECT_EQ(moving_objects().size(), 3u);
    bench.apply(Command{SetMotion{false}});
    static_cast<void>(frame_at(bench, 68.5, {0, 0, 1048, 800}, 1));
    EXPECT_EQ(moving_objects().size(), 0u);
    Rect rack;
    EXPECT_TRUE(find_widget("stage.rack", rack));
    bench.apply(Commands{SetMotion{true}, SetSpeed{8}});
    static_cast<void>(frame_at(bench, 68.5, {0, 0, 1048, 800}, 1));
    EXPECT_EQ(moving_objects().size(), 0u);
}

// Row 3 of B leaves as a row, and stands as a column before it lands in column 3 of Bs.
TEST_F(StageFrame, ATransposedStoreTurnsARowIntoAColumn) {
    Workbench bench = workbench("08_tiled_b_transposed", {32, 32, 32, 32, 0});
    const Rect stage{0, 0, 1400, 800};
    const std::string words = "row 3 of B to column 3 of Bs";
    std::vector<DrawnText> texts = frame_at(bench, 68.5, stage, 1);
    EXPECT_TRUE(std::ranges::any_of(texts, [&](const DrawnText& t) { return t.text == words; }));
    auto moving = moving_objects();
    ASSERT_FALSE(moving.empty());
    EXPECT_GT(moving.back().second.w, 4 * moving.back().second.h);
    // The store of row 3 begins at tick 97 + 3 * 32.
    texts = frame_at(bench, 192.5, stage, 1);
    moving = moving_objects();
    ASSERT_EQ(moving.size(), 1u);
    EXPECT_GT(moving.back().second.h, 4 * moving.back().second.w);
    EXPECT_TRUE(std::ranges::any_of(texts, [&](const DrawnText& t) { return t.text == words; }));
}

}  // namespace
}  // namespace tilereel::motion_rules_test
