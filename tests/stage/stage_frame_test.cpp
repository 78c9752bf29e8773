// Whole frames of the stage, drawn in process without a window.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "app/replay/navigation.h"
#include "app/stage/stage.h"
#include "app/ui/drawn_text.h"
#include "app/ui/ui_frame.h"
#include "app/ui/widgets.h"
#include "app/workbench/playhead.h"
#include "kernels/openings.h"

namespace tilereel {
namespace {

class StageFrame : public testing::Test {
  protected:
    void SetUp() override {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {1048, 800};
        io.DeltaTime = 1.0f / 60;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        io.MousePos = {-1, -1};
    }
    void TearDown() override { ImGui::DestroyContext(); }

    static Workbench workbench(const char* kernel, KernelParameters parameters) {
        WorkbenchOptions options;
        options.request.kernel = kernel;
        options.request.parameters = parameters;
        options.record_on_worker = false;
        options.playing = false;
        return Workbench(std::move(options));
    }

    Commands frame(const Workbench& bench, double seconds = 1.0 / 60,
                   const Rect& rect = {0, 0, 1048, 800}, float text = 1) {
        ImGui::GetIO().DisplaySize = {rect.w, rect.h};
        begin_ui_frame();
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({rect.w, rect.h});
        ImGui::Begin("stage", nullptr, ImGuiWindowFlags_NoDecoration);
        Look look;
        look.frame_seconds = seconds;
        look.now_seconds = now_ += seconds;
        look.text = text;
        Commands commands = draw_stage(look, rect, bench, view_);
        ImGui::End();
        ImGui::Render();
        return commands;
    }

    Commands click(const Workbench& bench, ImVec2 at) {
        ImGuiIO& io = ImGui::GetIO();
        io.MousePos = at;
        frame(bench);
        io.MouseDown[0] = true;
        Commands all = frame(bench);
        io.MouseDown[0] = false;
        for (int i = 0; i < 2; ++i) {
            const Commands more = frame(bench);
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }

    // The arrays to which bars fly have names, each for itself. Returns how many.
    std::size_t expect_names(const Workbench& bench, const std::vector<DrawnText>& texts,
                             const std::string& where) {
        std::set<std::string> expected;
        const Replay& replay = *bench.replay();
        for (std::uint32_t i = 0; i < replay.flights().size(); ++i) {
            const Flight& flight = replay.flights()[i];
            const stage::Leg& leg = view_.plan.leg(i);
            const double up = leg.progress(bench.position(), true);
            const double down = leg.progress(bench.position(), false);
            if (!view_.plan.flies_as_bars(flight.from) || std::min(up, down) <= 0.02 ||
                std::max(up, down) >= 0.98)
                continue;
            const Array& to = replay.trace().arrays[flight.to];
            expected.insert(plane_name(to, flight.to_row / to.rows_of_plane()));
        }
        Rect chip;
        const bool has_chip = find_widget("stage.whole", chip);
        std::vector<Rect> placed;
        for (const std::string& name : expected) {
            Rect box;
            EXPECT_TRUE(find_widget("stage.flight." + name, box)) << name << ", " << where;
            for (const Rect& other : placed)
                EXPECT_FALSE(cross(box, other)) << name << ", " << where;
            placed.push_back(box);
            EXPECT_FALSE(has_chip && cross(box, chip)) << name << " on the button, " << where;
            for (const DrawnText& text : texts)
                EXPECT_FALSE(!text.in_motion && text.face != Face::kMono &&
                             text.face != Face::kMonoBold && cross(box, text.box))
                    << name << " on " << text.text << ", " << where;
        }
        return placed.size();
    }
    static bool cross(const Rect& a, const Rect& b) {
        return a.x + 1 < b.right() && b.x + 1 < a.right() && a.y + 1 < b.bottom() &&
               b.y + 1 < a.bottom();
    }

    StageView view_;
    double now_ = 0;
};

// 3 x 3 in tiles of 2, block (1,1): the second row of As lies below A and holds a 0 that nobody
// loaded.
TEST_F(StageFrame, HoverTellsAZeroThatNobodyLoaded) {
    Workbench bench = workbench("10_tiled_any_size", {3, 3, 3, 2, 0});
    bench.apply(Command{WatchBlock{1, 1}});
    bench.apply(Command{SeekTo{6, false}});
    for (int i = 0; i < 60; ++i) frame(bench);  // until all flights have landed
    for (const auto& [row, loaded] : {std::pair{0, true}, {1, false}}) {
        Rect as;
        ASSERT_TRUE(find_widget("stage.shared.As", as));
        ImGui::GetIO().MousePos = {as.x + as.w / 4, as.y + as.h * (row == 0 ? 0.25f : 0.75f)};
        for (int i = 0; i < 15; ++i) frame(bench);
        ASSERT_FALSE(view_.hover_lines.empty());
        const bool said = std::ranges::any_of(view_.hover_lines, [](const std::string& line) {
            return line.starts_with("not loaded");
        });
        EXPECT_EQ(said, !loaded) << row;
    }
}

// A pointer that lies over the picture as the window opens says nothing; one that rests after it
// has moved does, beside the cell and inside the stage.
TEST_F(StageFrame, TheHoverBoxWaitsForThePointerAndCoversNoHoveredCell) {
    const Workbench bench = workbench("09_tiled", {16, 16, 16, 4, 0});
    frame(bench);
    Rect tile, c, box;
    ASSERT_TRUE(find_widget("stage.shared.Bs", tile));
    ASSERT_TRUE(find_widget("stage.c", c));
    view_ = StageView{};
    ImGui::GetIO().MousePos = tile.center();
    for (int i = 0; i < 60; ++i) frame(bench);
    EXPECT_TRUE(view_.hover_lines.empty());
    for (const Rect& area : {tile, c})
        for (const auto& [x, y] : {std::pair{0u, 0u}, {3u, 0u}, {0u, 3u}, {3u, 3u}}) {
            const std::uint32_t cells = area.w == tile.w ? 4 : 16;
            const float pitch_x = area.w / static_cast<float>(cells);
            const float pitch_y = area.h / static_cast<float>(cells);
            const std::uint32_t column = x * (cells - 1) / 3, row = y * (cells - 1) / 3;
            const Rect cell{area.x + static_cast<float>(column) * pitch_x,
                            area.y + static_cast<float>(row) * pitch_y, pitch_x, pitch_y};
            ImGui::GetIO().MousePos = cell.center();
            frame(bench);
            EXPECT_FALSE(find_widget("stage.hover", box)) << "it has not rested yet";
            for (int i = 0; i < 15; ++i) frame(bench);
            ASSERT_TRUE(find_widget("stage.hover", box));
            EXPECT_TRUE(box.x >= cell.right() || box.right() <= cell.x || box.y >= cell.bottom() ||
                        box.bottom() <= cell.y)
                << column << "," << row;
            EXPECT_GE(box.x, 0);
            EXPECT_GE(box.y, 0);
            EXPECT_LE(box.right(), 1048);
            EXPECT_LE(box.bottom(), 800);
        }
}

// Hovering a lane's register names the element of B in it.
TEST_F(StageFrame, RegistersAreThereWhereLanesHoldOperands) {
    Workbench bench = workbench("12_outer_product", {16, 64, 16, 16, 0});
    bench.apply(Command{SeekTo{60, false}});
    frame(bench);
    Rect registers;
    ASSERT_TRUE(find_widget("stage.registers", registers));
    ImGui::GetIO().MousePos = {registers.x + 6, registers.y + 8};
    for (int i = 0; i < 15; ++i) frame(bench);
    EXPECT_EQ(view_.hover_lines, std::vector<std::string>{"in a register of lane 0"});
    bench.apply(Command{SetKernel{"09_tiled"}});
    frame(bench);
    EXPECT_FALSE(find_widget("stage.registers", registers));
}

TEST_F(StageFrame, AClickOnTheMapOrOnCWatchesThatBlock) {
    const Workbench bench = workbench("09_tiled", {16, 16, 16, 4, 0});
    frame(bench);
    for (const char* name : {"stage.map", "stage.c"}) {
        Rect area;
        ASSERT_TRUE(find_widget(name, area)) << name;
        const Commands commands =
            click(bench, {area.x + area.w * 0.625f, area.y + area.h * 0.375f});
        ASSERT_EQ(commands.size(), 1u) << name;
        const auto* watch = std::get_if<WatchBlock>(&commands[0]);
        ASSERT_NE(watch, nullptr);
        EXPECT_EQ(watch->x, 2u);
        EXPECT_EQ(watch->y, 1u);
    }
}

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

// A token chooses its warp and lets go of it; an element of the block's part of C its own lane.
TEST_F(StageFrame, AClickChoosesAWarpAndALane) {
    const Workbench bench = workbench("18_warp_tiled", {64, 64, 32, 32, 0});
    view_.whole = true;
    frame(bench);
    Rect token, c, fragments;
    ASSERT_TRUE(find_widget("stage.fragments", fragments));
    ASSERT_TRUE(find_widget("stage.warp.1", token));
    EXPECT_TRUE(click(bench, token.center()).empty());
    EXPECT_EQ(view_.lanes.chosen_warp(), 1u);
    ASSERT_TRUE(find_widget("stage.warp.1", token));
    click(bench, token.center());
    EXPECT_EQ(view_.lanes.chosen_warp(), std::nullopt);
    ASSERT_TRUE(find_widget("stage.c", c));
    // Row 20, column 5: warp 1 has rows 16 to 31; of its lanes, 1 has rows 4 to 7, columns 0 to 3,
    // and 3 columns 4 to 7.
    click(bench, {c.x + c.w * 5.5f / 64, c.y + c.h * 20.5f / 64});
    EXPECT_EQ(view_.lanes.chosen_warp(), 1u);
    EXPECT_EQ(view_.lanes.lane(), 3u);
    view_.lanes.next_lane(-1);
    EXPECT_EQ(view_.lanes.lane(), 2u);
    view_.lanes.next_warp(*bench.replay(), 1);
    EXPECT_EQ(view_.lanes.chosen_warp(), 0u);
}

// What flies as bars has a name for each array that it flies to, on no word, button or other name.
TEST_F(StageFrame, WhatFliesAsBarsHasANameThatCoversNothing) {
    std::size_t names = 0;
    for (const char* kernel :
         {"08_tiled_b_transposed", "18_warp_tiled", "19_async_pipeline", "20_champion"})
        for (const auto& [rect, text] :
             {std::pair{Rect{0, 0, 1022, 548}, 1.0f}, std::pair{Rect{0, 0, 1400, 675}, 2.0f}}) {
            Workbench bench = workbench(kernel, opening_of(*find_kernel(kernel)));
            for (double tick = 3; tick < 75; tick += 4) {
                bench.apply(Command{SeekTo{std::max(0.0, tick - 16), false}});
                frame(bench, 0, rect, text);
                bench.apply(Command{PlayPause{}});
                bench.advance((tick - bench.position()) * kSecondsATick);
                std::vector<DrawnText> texts;
                record_drawn_text(&texts);
                frame(bench, 0.5, rect, text);
                record_drawn_text(nullptr);
                names += expect_names(bench, texts,
                                      std::string(kernel) + " at tick " + std::to_string(tick));
                bench.apply(Command{PlayPause{}});
            }
        }
    EXPECT_GT(names, 100u);
}

// Buffers of a ring change places while the next tiles are on their way to them.
TEST_F(StageFrame, WhatFliesFollowsABufferThatChangesItsPlace) {
    const Rect rect{0, 0, 1400, 675};
    std::size_t turns = 0;
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
            turns += view_.turning[0].plane != view_.turning[0].former;
            std::map<std::string, ImVec2> now;
            for_each_widget([&](std::string_view name, const Rect& place) {
                if (name.starts_with("stage.flight.")) now[std::string(name)] = place.center();
            });
            for (const auto& [name, at] : now)
                if (const auto was = before.find(name); was != before.end()) {
                    ASSERT_LT(std::hypot(at.x - was->second.x, at.y - was->second.y), 120)
                        << kernel << " at " << bench.position() << ": " << name;
                }
            before = now;
        }
    }
    EXPECT_GT(turns, 0u);
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

TEST_F(StageFrame, AMapOfVeryManyBlocksStillChooses) {
    const Workbench bench = workbench("02_naive", {256, 256, 1, 2, 0});  // 128 x 128 blocks
    frame(bench);
    Rect map;
    ASSERT_TRUE(find_widget("stage.map", map));
    const Commands commands = click(bench, {map.x + map.w * 0.99f, map.y + 1});
    ASSERT_EQ(commands.size(), 1u);
    const auto* watch = std::get_if<WatchBlock>(&commands[0]);
    ASSERT_NE(watch, nullptr);
    EXPECT_GE(watch->x, 125u);
    EXPECT_LE(watch->y, 2u);
}

TEST_F(StageFrame, TheWheelZoomsAboutThePointerAndADragPans) {
    const Workbench bench = workbench("09_tiled", {64, 64, 64, 8, 0});
    view_.whole = true;
    frame(bench);
    Rect c;
    ASSERT_TRUE(find_widget("stage.c", c));
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {c.x + c.w * 0.5f, c.y + c.h * 0.25f};
    for (int i = 0; i < 8; ++i) {
        io.MouseWheel = 1;
        frame(bench);
    }
    io.MouseWheel = 0;
    frame(bench);
    EXPECT_NEAR(view_.zoom, 4.3f, 0.1f);
    // The cell under the pointer stays: column 32, row 16.
    const float pitch = c.w / 64 * view_.zoom;
    ASSERT_TRUE(find_widget("stage.c", c));
    EXPECT_NEAR(view_.pan.x + (io.MousePos.x - c.x) / pitch, 32, 0.5);
    EXPECT_NEAR(view_.pan.y + (io.MousePos.y - c.y) / pitch, 16, 0.5);
    const ImVec2 before = view_.pan;
    io.MouseDown[0] = true;
    frame(bench);
    io.MousePos.x -= 2 * pitch;
    frame(bench);
    frame(bench);
    EXPECT_NEAR(view_.pan.x, before.x + 2, 0.1);
    io.MouseDown[0] = false;
    EXPECT_TRUE(frame(bench).empty());  // a drag is no click
}

// Where values do not fit into all cells, the watched part is shown with its values, and the map
// shows where it lies. Key 0 changes to all cells and back; a drag moves what is shown.
TEST_F(StageFrame, WhereNotAllValuesFitTheWatchedPartIsShown) {
    Workbench bench = workbench("09_tiled", {64, 64, 64, 16, 0});
    bench.apply(Command{WatchBlock{2, 1}});
    frame(bench);
    EXPECT_GE(view_.pan.x + 0.01f, 16) << "of block 2, columns 32 to 47";
    EXPECT_LE(view_.pan.x, 32);
    EXPECT_LE(view_.pan.y, 16) << "rows 16 to 31";
    EXPECT_EQ(view_.pan_k, 0);
    Rect map, chip, c;
    ASSERT_TRUE(find_widget("stage.map", map));
    const Commands commands = click(bench, {map.x + map.w * 0.9f, map.y + map.h * 0.1f});
    ASSERT_EQ(commands.size(), 1u);
    const auto* watch = std::get_if<WatchBlock>(&commands[0]);
    ASSERT_NE(watch, nullptr);
    EXPECT_EQ(watch->x, 3u);
    EXPECT_EQ(watch->y, 0u);
    // The last phase: k from 48 on.
    bench.apply(
        Command{SeekTo{0.9 * static_cast<double>(bench.replay()->schedule().ticks), false}});
    for (int i = 0; i < 60; ++i) frame(bench);
    EXPECT_GT(view_.pan_k, 16);
    ASSERT_TRUE(find_widget("stage.whole", chip));
    click(bench, chip.center());
    EXPECT_TRUE(view_.whole);
    frame(bench);
    EXPECT_EQ(view_.pan.x, 0);
    EXPECT_EQ(view_.pan_k, 0);
    show_all_or_watched(view_);
    for (int i = 0; i < 60; ++i) frame(bench);
    EXPECT_GE(view_.pan.x + 0.01f, 16);
    ASSERT_TRUE(find_widget("stage.c", c));
    const float before = view_.pan.x;
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = c.center();
    frame(bench);
    io.MouseDown[0] = true;
    frame(bench);
    io.MousePos.x += 60;
    for (int i = 0; i < 3; ++i) frame(bench);
    io.MouseDown[0] = false;
    for (int i = 0; i < 3; ++i) frame(bench);
    EXPECT_LT(view_.pan.x, before - 1);
    EXPECT_FALSE(view_.follows);
    show_all_or_watched(view_);
    for (int i = 0; i < 60; ++i) frame(bench);
    EXPECT_NEAR(view_.pan.x, before, 0.01);
}

TEST_F(StageFrame, TheWheelZoomsSharedTilesAndADoubleClickShowsAllOfThem) {
    const Workbench bench = workbench("09_tiled", {64, 64, 64, 16, 0});
    frame(bench);
    Rect tile;
    ASSERT_TRUE(find_widget("stage.shared.Bs", tile));
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {tile.x + tile.w * 0.75f, tile.y + tile.h * 0.5f};  // column 12, row 8
    for (int i = 0; i < 4; ++i) {
        io.MouseWheel = 1;
        frame(bench);
    }
    io.MouseWheel = 0;
    frame(bench);
    EXPECT_NEAR(view_.shared_zoom, 2.07f, 0.01f);
    EXPECT_EQ(view_.zoom, 1);
    const float pitch = tile.w / 16 * view_.shared_zoom;
    EXPECT_NEAR(view_.shared_pan.at(1).x + tile.w * 0.75f / pitch, 12, 0.01);
    EXPECT_NEAR(view_.shared_pan.at(1).y + tile.h * 0.5f / pitch, 8, 0.01);
    io.MouseDown[0] = true;
    frame(bench);
    io.MousePos.x += 3 * pitch;
    for (int i = 0; i < 3; ++i) frame(bench);
    EXPECT_NEAR(view_.shared_pan.at(1).x + tile.w * 0.75f / pitch, 9, 0.01);
    io.MouseDown[0] = false;
    for (int i = 0; i < 40; ++i) frame(bench);
    click(bench, io.MousePos);
    click(bench, io.MousePos);
    EXPECT_EQ(view_.shared_zoom, 1);
}

// Tokens of the frame; none where there is only text.
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

TEST_F(StageFrame, BuildingAFrameCostsLittle) {
    Workbench bench = workbench("09_tiled", {64, 64, 64, 16, 0});
    bench.apply(Command{SeekTo{30, false}});
    bench.apply(Command{PlayPause{}});
    std::vector<double> milliseconds;
    for (int i = 0; i < 60; ++i) {
        bench.advance(1.0 / 60);
        const auto start = std::chrono::steady_clock::now();
        frame(bench);
        const std::chrono::duration<double, std::milli> spent =
            std::chrono::steady_clock::now() - start;
        milliseconds.push_back(spent.count());
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    EXPECT_LT(milliseconds[30], 2.0) << "median";
}

// A clip at a part of a pixel would cut the right edge of a row's last sector off.
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
}  // namespace tilereel
