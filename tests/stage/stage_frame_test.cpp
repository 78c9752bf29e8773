// Whole frames of the stage: what hovering, clicking and the wheel do.
#include "tests/stage/stage_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
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
#include "tests/trace/program_traces.h"

namespace tilereel::stage_frame_test {
namespace {

// 3 x 3 in tiles of 2, block (1,1): the second row of As lies below A and holds a 0 that nobody
// loaded.
TEST_F(StageFrame, HoverShowsAZeroThatWasNotLoaded) {
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

// After the last request to an element the box names the first one, and does not call it the next.
TEST_F(StageFrame, HoverNamesTheNextRequestOrTheFirst) {
    Workbench bench = workbench("09_tiled", {16, 16, 16, 4, 0});
    const Tick ticks = bench.replay()->schedule().ticks;
    for (const auto& [tick, word] : {std::pair{Tick{0}, "next: "}, {ticks, "first: "}}) {
        bench.apply(Command{SeekTo{static_cast<double>(tick), false}});
        ImGui::GetIO().MousePos = {-1, -1};
        for (int i = 0; i < 60; ++i) frame(bench);
        Rect tile;
        ASSERT_TRUE(find_widget("stage.shared.Bs", tile));
        ImGui::GetIO().MousePos = tile.center();
        for (int i = 0; i < 15; ++i) frame(bench);
        EXPECT_TRUE(std::ranges::any_of(view_.hover_lines, [&](const std::string& line) {
            return line.starts_with(word);
        })) << word;
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
        const auto* watch = commands[0].get_if<WatchBlock>();
        ASSERT_NE(watch, nullptr);
        EXPECT_EQ(watch->x, 2u);
        EXPECT_EQ(watch->y, 1u);
    }
}

// A click on a warp's token chooses the warp, and the next one lets go of it. A click on an element
// of the block's part of C chooses the lane that owns it.
TEST_F(StageFrame, AClickChoosesAWarpAndALane) {
    Workbench bench = workbench("18_warp_tiled", {64, 64, 32, 32, 0});
    view_.whole = true;
    frame(bench);
    Rect token, c, fragments;
    ASSERT_TRUE(find_widget("stage.fragments", fragments));
    ASSERT_TRUE(find_widget("stage.warp.1", token));
    bench.apply(click(bench, token.center()));
    EXPECT_EQ(bench.watched_thread().chosen_warp(), 1u);
    ASSERT_TRUE(find_widget("stage.warp.1", token));
    bench.apply(click(bench, token.center()));
    EXPECT_EQ(bench.watched_thread().chosen_warp(), std::nullopt);
    ASSERT_TRUE(find_widget("stage.c", c));
    // Row 20, column 5: warp 1 has rows 16 to 31; of its lanes, 1 has rows 4 to 7, columns 0 to 3,
    // and 3 columns 4 to 7.
    bench.apply(click(bench, {c.x + c.w * 5.5f / 64, c.y + c.h * 20.5f / 64}));
    EXPECT_EQ(bench.watched_thread().chosen_warp(), 1u);
    EXPECT_EQ(bench.watched_thread().lane(), 3u);
    bench.apply(NextLane{-1});
    EXPECT_EQ(bench.watched_thread().lane(), 2u);
    bench.apply(NextWarp{1});
    EXPECT_EQ(bench.watched_thread().chosen_warp(), 0u);
}

TEST_F(StageFrame, AMapOfVeryManyBlocksStillChooses) {
    const Workbench bench = workbench("02_naive", {256, 256, 1, 2, 0});  // 128 x 128 blocks
    frame(bench);
    Rect map;
    ASSERT_TRUE(find_widget("stage.map", map));
    // ImGui's pointer is at whole pixels.
    const ImVec2 at{std::floor(map.x + map.w * 0.99f), std::floor(map.y + map.h * 0.25f)};
    const Commands commands = click(bench, at);
    ASSERT_EQ(commands.size(), 1u);
    const auto* watch = commands[0].get_if<WatchBlock>();
    ASSERT_NE(watch, nullptr);
    EXPECT_EQ(watch->x, static_cast<std::uint32_t>((at.x - map.x) / map.w * 128));
    EXPECT_EQ(watch->y, static_cast<std::uint32_t>((at.y - map.y) / map.h * 128));
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
    const auto* watch = commands[0].get_if<WatchBlock>();
    ASSERT_NE(watch, nullptr);
    EXPECT_EQ(watch->x, 3u);
    EXPECT_EQ(watch->y, 0u);
    // The last phase: k from 48 on.
    bench.apply(
        Command{SeekTo{0.9 * static_cast<double>(bench.replay()->schedule().ticks), false}});
    for (int i = 0; i < 60; ++i) frame(bench);
    EXPECT_GT(view_.pan_k, 16);
    EXPECT_LE(view_.pan_k, 48);
    ASSERT_TRUE(find_widget("stage.whole", chip));
    click(bench, chip.center());
    EXPECT_TRUE(view_.whole);
    frame(bench);
    EXPECT_EQ(view_.pan.x, 0);
    EXPECT_EQ(view_.pan_k, 0);
    bench.apply(show_all_or_watched(view_));
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
    bench.apply(show_all_or_watched(view_));
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

// Phases of a program end at its barriers, so a phase often reads what the one before has stored.
TEST_F(StageFrame, AProgramsTileIsNotCalledUnwrittenWhileItIsRead) {
    std::size_t reads = 0;
    for (Trace (*program)() : {tests::reduction_trace, tests::stencil_trace}) {
        WorkbenchOptions options;
        options.trace = program();
        options.record_on_worker = false;
        options.playing = false;
        Workbench bench(std::move(options));
        const Replay& replay = *bench.replay();
        for (const Step& step : replay.schedule().steps) {
            const Site& site = replay.trace().sites[step.site];
            if (site.operation != Operation::kLoad || site.array == kNoArray ||
                replay.trace().arrays[site.array].space != Space::kShared)
                continue;
            ++reads;
            for (const DrawnText& text :
                 frame_at(bench, static_cast<double>(step.begin) + 0.5, {0, 0, 1048, 800}, 1))
                ASSERT_FALSE(text.text.starts_with("0 of ") && text.text.ends_with(" written"))
                    << text.text << " at tick " << step.begin;
        }
    }
    EXPECT_GT(reads, 10u);
}

}  // namespace
}  // namespace tilereel::stage_frame_test
