// The picture of what lanes hold for tensor cores: which cells are where, what clicks do, what
// flies. Expected: the layout of fragments in the PTX ISA, "Matrix Fragments for mma.m16n8k16".
#include "app/stage/tensor/tensor_picture.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/stage/stage_frame.h"
#include "tests/trace/tensor_traces.h"

namespace tilereel::tensor_picture_test {
namespace {

class TensorFrame : public StageFrame {
  protected:
    static Workbench bench_of(const tests::TensorTraceOptions& options) {
        return Workbench(WorkbenchOptions{.request = {},
                                          .trace = tests::tensor_trace(options),
                                          .playing = false,
                                          .record_on_worker = false});
    }
    static Tick begin_of(const Workbench& bench, std::uint32_t line, int n = 0) {
        const Replay& replay = *bench.replay();
        for (const Step& step : replay.schedule().steps)
            if (replay.trace().sites[step.site].line == line && n-- == 0) return step.begin;
        return 0;
    }
    // The texts of a frame in which all has landed.
    std::vector<DrawnText> texts_at(Workbench& bench, Tick tick, const Rect& rect = kWhole,
                                    float text = 1) {
        bench.apply(Command{SeekTo{static_cast<double>(tick), false}});
        for (int i = 0; i < 60; ++i) frame(bench, 1.0 / 60, rect, text);
        std::vector<DrawnText> texts;
        record_drawn_text(&texts);
        frame(bench, 1.0 / 60, rect, text);
        record_drawn_text(nullptr);
        return texts;
    }
    static Rect widget(const char* name) {
        Rect rect;
        EXPECT_TRUE(find_widget(name, rect)) << name;
        return rect;
    }
    static constexpr Rect kWhole{0, 0, 1048, 800};
};

std::vector<std::string> inside(const std::vector<DrawnText>& texts, const Rect& rect) {
    std::vector<std::string> found;
    for (const DrawnText& text : texts)
        if (rect.contains(text.box.center())) found.push_back(text.text);
    return found;
}

TEST_F(TensorFrame, IsShownForMatrixLoadsOnly) {
    Workbench bench = bench_of({});
    bench.apply(Command{SeekTo{0, false}});
    EXPECT_FALSE(stage::shows_tensor(bench));
    bench.apply(Command{SeekTo{static_cast<double>(begin_of(bench, 7)), false}});
    EXPECT_TRUE(stage::shows_tensor(bench));
    bench.apply(Command{ShowTensorPicture{false}});
    EXPECT_FALSE(stage::shows_tensor(bench));
    EXPECT_TRUE(stage::has_tensor_picture(bench));
}

// A cell of A has its lane and the two elements of a register: row g + 8 (r % 2), columns
// 8 (r / 2) + 2 t and the next, of lane 4 g + t.
TEST_F(TensorFrame, CellsHaveLaneAndValues) {
    Workbench bench = bench_of({});
    const auto texts = texts_at(bench, begin_of(bench, 7) + 3);
    const Rect a = widget("stage.tensor.a");
    for (int row = 0; row < 16; ++row)
        for (int pair = 0; pair < 8; ++pair) {
            const Rect cell{a.x + static_cast<float>(pair) * a.w / 8,
                            a.y + static_cast<float>(row) * a.h / 16, a.w / 8, a.h / 16};
            const auto value = [&](int i) {
                return std::to_string(static_cast<int>(tests::tensor_a({}, row, 2 * pair + i)));
            };
            EXPECT_EQ(inside(texts, cell),
                      (std::vector{std::to_string(row % 8 * 4 + pair % 4), value(0), value(1)}))
                << row << ", " << pair;
        }
}

// B has not been loaded yet, and is not shown.
TEST_F(TensorFrame, WhatComesLaterHasNoValues) {
    Workbench bench = bench_of({});
    const auto texts = texts_at(bench, begin_of(bench, 7) + 3);
    EXPECT_EQ(inside(texts, widget("stage.tensor.b")).size(), 64u);  // the lanes alone
    const auto later = texts_at(bench, begin_of(bench, 8) + 1);
    EXPECT_EQ(inside(later, widget("stage.tensor.b")).size(), 64u * 3);
}

TEST_F(TensorFrame, AClickChoosesTheLaneOfACell) {
    Workbench bench = bench_of({});
    texts_at(bench, begin_of(bench, 7) + 3);
    const Rect a = widget("stage.tensor.a");
    // Row 11, columns 10 and 11: group 3, place 1.
    const Commands commands = click(bench, {a.x + 5.7f * a.w / 8, a.y + 11.5f * a.h / 16});
    const auto chosen = std::ranges::find_if(
        commands, [](const Command& each) { return each.holds<ChooseLane>(); });
    ASSERT_NE(chosen, commands.end());
    EXPECT_EQ(chosen->get_if<ChooseLane>()->lane, 13u);
}

// What plain rows would cost stands beside swizzled rows only.
TEST_F(TensorFrame, PlainRowsStandBesideASwizzle) {
    for (const bool swizzled : {true, false}) {
        Workbench bench = bench_of({.swizzled = swizzled});
        const auto texts = texts_at(bench, begin_of(bench, 7));
        Rect plain;
        EXPECT_EQ(find_widget("stage.plain_rows", plain), swizzled);
        const bool says = std::ranges::any_of(
            texts, [](const DrawnText& text) { return text.text.starts_with("computed"); });
        EXPECT_EQ(says, swizzled);
    }
}

// Eight pieces leave their slots and land in the quarter of A that the wavefront brings: 0 at the
// upper left, 1 below it, 2 at the upper right.
TEST_F(TensorFrame, AWavefrontFliesToItsQuarter) {
    Workbench bench = bench_of({});
    const Tick begin = begin_of(bench, 7);
    for (int wavefront = 0; wavefront < 4; ++wavefront) {
        bench.apply(Command{SeekTo{static_cast<double>(begin) - 1, false}});
        frame(bench, 0);
        bench.apply(Command{PlayPause{}});
        std::optional<Rect> first, last;
        for (double share = 0.05; share < 0.8; share += 0.1) {
            const double tick = static_cast<double>(begin) + wavefront + share;
            bench.advance((tick - bench.position()) * kSecondsATick);
            frame(bench, 0.01);
            Rect flight;
            ASSERT_TRUE(find_widget("stage.tensor.flight", flight)) << wavefront << " " << share;
            if (!first) first = flight;
            last = flight;
        }
        bench.apply(Command{PlayPause{}});
        const Rect a = widget("stage.tensor.a"), slots = widget("stage.slots");
        const Rect quarter{a.x + static_cast<float>(wavefront / 2) * a.w / 2,
                           a.y + static_cast<float>(wavefront % 2) * a.h / 2, a.w / 2, a.h / 2};
        EXPECT_TRUE(slots.contains(first->center())) << wavefront;
        EXPECT_TRUE(quarter.contains(last->center())) << wavefront;
        for (int i = 0; i < 60; ++i) frame(bench);
        Rect flight;
        EXPECT_FALSE(find_widget("stage.tensor.flight", flight)) << "it has landed";
    }
}

// In a small stage one matrix is large; a click on another one enlarges it.
TEST_F(TensorFrame, AClickEnlargesASmallMatrix) {
    Workbench bench = bench_of({});
    const Rect small{0, 0, 754, 376};    // in a window of 1280 x 720 with large text
    const std::size_t values = 128 * 3;  // lane and two elements a cell
    const Tick tick = begin_of(bench, 7) + 3;
    const auto values_of_a = [&] {
        const auto texts = texts_at(bench, tick, small);
        return inside(texts, widget("stage.tensor.a")).size();
    };
    EXPECT_EQ(values_of_a(), values);
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = widget("stage.tensor.b").center();
    frame(bench, 1.0 / 60, small);
    io.MouseDown[0] = true;
    frame(bench, 1.0 / 60, small);
    io.MouseDown[0] = false;
    Commands commands = frame(bench, 1.0 / 60, small);
    append(commands, frame(bench, 1.0 / 60, small));
    const auto enlarged = std::ranges::find_if(
        commands, [](const Command& each) { return each.holds<EnlargeFragment>(); });
    ASSERT_NE(enlarged, commands.end());
    EXPECT_EQ(enlarged->get_if<EnlargeFragment>()->fragment, 1u);
    bench.apply(commands);
    io.MousePos = {-1, -1};
    EXPECT_LT(values_of_a(), values);
}

// Words neither overlap nor leave the stage, at any size.
TEST_F(TensorFrame, WordsHaveRoom) {
    struct Case {
        Rect rect;
        float text;
    };
    for (const auto& [rect, text] :
         {Case{kWhole, 1}, Case{{0, 0, 620, 400}, 1}, Case{{0, 0, 754, 376}, 2},
          Case{{0, 0, 1048, 800}, 2}, Case{{0, 0, 620, 400}, 2}, Case{{0, 0, 2000, 1400}, 1}})
        for (const bool swizzled : {true, false})
            for (const std::uint32_t line : {7u, 8u, 11u}) {
                Workbench bench = bench_of({.swizzled = swizzled});
                const auto texts = texts_at(bench, begin_of(bench, line, 1), rect, text);
                for (std::size_t i = 0; i < texts.size(); ++i) {
                    EXPECT_FALSE(texts[i].shortened) << texts[i].text;
                    EXPECT_TRUE(texts[i].box.x >= rect.x && texts[i].box.right() <= rect.right() &&
                                texts[i].box.bottom() <= rect.bottom())
                        << texts[i].text << " at " << rect.w << ", line " << line;
                    for (std::size_t j = i + 1; j < texts.size(); ++j)
                        EXPECT_FALSE(cross(texts[i].box, texts[j].box))
                            << texts[i].text << " and " << texts[j].text << " at " << rect.w
                            << " x " << rect.h << ", text " << text << ", line " << line;
                }
            }
}

}  // namespace
}  // namespace tilereel::tensor_picture_test
