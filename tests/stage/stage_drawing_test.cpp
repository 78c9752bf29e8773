// Whole frames of the stage: what is drawn where, while tiles fly and at every tick.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/replay/places/navigation.h"
#include "app/stage/stage.h"
#include "app/ui/draw/drawn_text.h"
#include "app/ui/frame/ui_frame.h"
#include "app/ui/widgets/widgets.h"
#include "app/workbench/playhead.h"
#include "kernels/openings.h"
#include "tests/stage/stage_frame.h"

namespace tilereel::stage_drawing_test {
namespace {

// Of buffers in a ring one stands large; hovering a small one tells what it holds.
TEST_F(StageFrame, ARingShowsOneBufferLargeAndAllSmall) {
    Workbench bench = workbench("19_async_pipeline", {16, 16, 64, 16, 0});
    // Tile 4, of phase 3 from 0, lies in buffer 0.
    for (const Step& step : bench.replay()->schedule().steps)
        if (step.phase == 3 && step.part == Part::kCompute) {
            bench.apply(Command{SeekTo{static_cast<double>(step.begin), false}});
            break;
        }
    for (int i = 0; i < 40; ++i) frame(bench);
    Rect rect, small;
    EXPECT_TRUE(find_widget("stage.shared.As.0", rect));
    EXPECT_TRUE(find_widget("stage.shared.Bs.0", rect));
    EXPECT_FALSE(find_widget("stage.shared.As.1", rect));
    for (const char* name : {"stage.ring.As.0", "stage.ring.As.1", "stage.ring.As.2",
                             "stage.ring.Bs.0", "stage.ring.Bs.1", "stage.ring.Bs.2"})
        EXPECT_TRUE(find_widget(name, small)) << name;
    ASSERT_TRUE(find_widget("stage.ring.As.0", small));
    ImGui::GetIO().MousePos = {small.x + 8, small.y + small.h / 2};
    for (int i = 0; i < 15; ++i) frame(bench);
    EXPECT_FALSE(view_.hover_lines.empty());
    // The next tile: another buffer, in the same place.
    ASSERT_TRUE(find_widget("stage.shared.As.0", rect));
    bench.apply(Command{SeekTo{bench.position() + 60, false}});
    for (int i = 0; i < 40; ++i) frame(bench);
    Rect next;
    ASSERT_TRUE(find_widget("stage.shared.As.1", next));
    EXPECT_EQ(next.x, rect.x);
    EXPECT_EQ(next.y, rect.y);
}

// Values are those of cells that stand still: they are not drawn in motion.
TEST_F(StageFrame, TheLabelOfACopyDoesNotCoverValues) {
    std::size_t names = 0, values = 0;
    Workbench bench = workbench("19_async_pipeline", opening_of(*find_kernel("19_async_pipeline")));
    bench.apply(Command{SeekTo{0, false}});
    bench.apply(Command{PlayPause{}});
    while (bench.position() < 130) {
        bench.advance(kSecondsATick / 2);
        std::vector<DrawnText> texts;
        record_drawn_text(&texts);
        frame(bench, kSecondsATick / 2, {0, 0, 1400, 675}, 2);
        record_drawn_text(nullptr);
        std::erase_if(texts, [](const DrawnText& t) {
            return t.in_motion || (t.face != Face::kMono && t.face != Face::kMonoBold);
        });
        values += texts.size();
        for_each_widget([&](std::string_view name, const Rect& box) {
            if (!name.starts_with("stage.route")) return;
            ++names;
            for (const DrawnText& text : texts)
                ASSERT_FALSE(cross(box, text.box.cut(text.clip)))
                    << name << " on " << text.text << " at " << bench.position();
        });
    }
    EXPECT_GT(names, 20u);
    EXPECT_GT(values, 10000u);
}

// Buffers of a ring change places while the next tiles are on their way to them.
TEST_F(StageFrame, FlightsFollowABufferThatMoves) {
    const Rect rect{0, 0, 1400, 675};
    std::size_t changes = 0;
    for (const char* kernel : {"19_async_pipeline", "20_champion"}) {
        Workbench bench = workbench(kernel, opening_of(*find_kernel(kernel)));
        frame(bench, 0, rect, 2);
        const Tick begin = next_tick(*bench.replay(), StepUnit::kPhase, 0);
        bench.apply(Command{SeekTo{static_cast<double>(begin) - 4, false}});
        frame(bench, 0.5, rect, 2);
        bench.apply(Command{PlayPause{}});
        std::map<std::string, ImVec2> before;
        for (int i = 0; i < 100; ++i) {
            bench.advance(1.0 / 60);
            frame(bench, 1.0 / 60, rect, 2);
            changes += view_.plane_changes[0].plane != view_.plane_changes[0].former;
            std::map<std::string, ImVec2> now;
            for_each_widget([&](std::string_view name, const Rect& place) {
                if (name.starts_with("stage.moving.")) now[std::string(name)] = place.center();
            });
            for (const auto& [name, at] : now)
                if (const auto was = before.find(name); was != before.end()) {
                    ASSERT_LT(std::hypot(at.x - was->second.x, at.y - was->second.y), 200)
                        << kernel << " at " << bench.position() << ": " << name;
                }
            before = now;
        }
    }
    EXPECT_GT(changes, 0u);
}

// Rows that pass each other: only the value of the upper cell is shown.
TEST_F(StageFrame, ValuesInFlightDoNotCoverEachOther) {
    std::size_t values = 0;
    for (const char* kernel : {"05_guide_ab_shared", "06_single_block", "09_tiled"}) {
        Workbench bench = workbench(kernel, opening_of(*find_kernel(kernel)));
        bench.apply(Command{SeekTo{0, false}});
        frame(bench, 0, {0, 0, 1022, 548});
        bench.apply(Command{PlayPause{}});
        while (bench.position() < 22) {
            bench.advance(kSecondsATick / 2);
            std::vector<DrawnText> texts;
            record_drawn_text(&texts);
            frame(bench, 0, {0, 0, 1022, 548});
            record_drawn_text(nullptr);
            std::erase_if(texts, [](const DrawnText& t) {
                return !t.in_motion || t.face != Face::kMonoBold;
            });
            values += texts.size();
            for (std::size_t i = 0; i < texts.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    ASSERT_FALSE(cross(texts[i].box, texts[j].box))
                        << kernel << " at " << bench.position();
        }
    }
    EXPECT_GT(values, 1000u);
}

// The widgets of the warps; none if the warps are only text.
std::vector<Rect> tokens() {
    std::vector<Rect> found;
    Rect rect;
    for (std::uint32_t i = 0; find_widget("stage.warp." + std::to_string(i), rect); ++i)
        found.push_back(rect);
    return found;
}

TEST_F(StageFrame, TokensNeverOverlapAndCanBeRead) {
    struct Window {
        float w, h;
    };
    for (const int tile : {8, 16, 32}) {
        Workbench bench = workbench("09_tiled", {32, 32, 32, tile, 0});
        const auto warps = static_cast<std::size_t>(tile * tile + 31) / 32;
        for (const Window& window : {Window{1048, 800}, Window{1440, 710}, Window{754, 377}}) {
            for (const float text : {1.0f, 1.7f, 2.0f, 32.0f / 14}) {
                view_ = StageView{};
                for (Tick tick = 0; tick <= bench.replay()->schedule().ticks;
                     tick += 1 + tick % 7) {
                    bench.apply(Command{SeekTo{static_cast<double>(tick), false}});
                    frame(bench, 0.05, {0, 0, window.w, window.h}, text);
                    Rect area;
                    ASSERT_TRUE(find_widget("stage.warps", area));
                    const std::vector<Rect> all = tokens();
                    ASSERT_TRUE(all.empty() || all.size() == warps);
                    for (std::size_t i = 0; i < all.size(); ++i) {
                        ASSERT_GE(all[i].h, 11 * 1.4f);
                        ASSERT_LE(all[i].bottom(), area.bottom() + 1);
                        for (std::size_t j = 0; j < i; ++j)
                            ASSERT_TRUE(all[i].right() <= all[j].x || all[j].right() <= all[i].x ||
                                        all[i].bottom() <= all[j].y || all[j].bottom() <= all[i].y)
                                << "warps " << j << " and " << i << " at tick " << tick << ", text "
                                << text << ", window " << window.w;
                    }
                }
            }
        }
    }
}

TEST_F(StageFrame, EveryTickOfEveryKernelDraws) {
    const std::vector<std::pair<const char*, KernelParameters>> cases = {
        {"01_naive_by_column", {8, 8, 8, 4, 0}},
        {"20_champion", {20, 37, 43, 16, 0}},
        {"02_naive", {8, 8, 8, 4, 0}},
        {"08_tiled_b_transposed", {8, 8, 8, 4, 0}},
        {"09_tiled", {8, 8, 8, 4, 0}},
        {"04_guide_a_shared", {8, 8, 8, 8, 0}},
        {"14_outer_product_prefetch", {16, 64, 32, 16, 0}}};
    for (const char* generation : {"9.0", "1.0"})
        for (const auto& [kernel, parameters] : cases) {
            Workbench bench = workbench(kernel, parameters);
            bench.apply(Command{SetGeneration{generation}});
            view_ = StageView{};
            const Tick ticks = bench.replay()->schedule().ticks;
            for (Tick tick = 0; tick <= ticks; tick += 1 + ticks / 200) {
                bench.apply(Command{SeekTo{static_cast<double>(tick), false}});
                frame(bench);
                EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 100);
            }
        }
}

TEST_F(StageFrame, EveryBufferOfSeveralIsATileOfItsOwn) {
    const Workbench bench = workbench("14_outer_product_prefetch", {16, 64, 32, 16, 0});
    frame(bench);
    Rect first, second;
    ASSERT_TRUE(find_widget("stage.shared.As.0", first));
    ASSERT_TRUE(find_widget("stage.shared.As.1", second));
    EXPECT_LT(first.bottom(), second.y);
    EXPECT_EQ(first.h, second.h);
    EXPECT_FALSE(find_widget("stage.shared.As", first));
}

// A clip rectangle that ends within a pixel would cut off the right edge of a row's last sector.
TEST_F(StageFrame, TheRowsOfAMemoryRequestEndAtAWholePixel) {
    const Workbench bench = workbench("02_naive", {.m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0});
    for (const float width : {1000.0f, 1003.0f, 1005.3f, 1007.7f, 1011.0f, 1366.0f})
        for (const float text : {1.0f, 2.0f}) {
            frame(bench, 1.0 / 60, {0, 0, width, 800}, text);
            Rect rows;
            ASSERT_TRUE(find_widget("stage.request", rows)) << width;
            EXPECT_EQ(rows.right(), std::floor(rows.right())) << width << ", " << text;
            EXPECT_EQ(rows.x, std::floor(rows.x)) << width << ", " << text;
        }
}

}  // namespace
}  // namespace tilereel::stage_drawing_test
