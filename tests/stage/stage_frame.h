#pragma once
// Frames of the stage alone, drawn in process without a window.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/replay/navigation.h"
#include "app/stage/stage.h"
#include "app/ui/cell_renderer.h"
#include "app/ui/cells.h"
#include "app/ui/drawn_text.h"
#include "app/ui/ui_frame.h"
#include "app/ui/widgets.h"
#include "app/workbench/playhead.h"
#include "kernels/openings.h"

namespace tilereel {

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

    // Checks that the name of each array or plane to which cells fly as bars is drawn, and that the
    // names overlap neither each other, nor labels, nor the button `stage.whole`. In the first half
    // of their way bars from outside the window may not be drawn yet. Returns the number of names.
    std::size_t expect_names(const Workbench& bench, const std::vector<DrawnText>& texts,
                             const std::string& where) {
        std::set<std::string> expected;
        const Replay& replay = *bench.replay();
        for (std::uint32_t i = 0; i < replay.flights().size(); ++i) {
            const Flight& flight = replay.flights()[i];
            const stage::DrawnFlight& drawn_flight = view_.plan.drawn_flight(i);
            const double up = drawn_flight.progress(bench.position(), true);
            const double down = drawn_flight.progress(bench.position(), false);
            if (!view_.plan.flies_as_bars(flight.from) || std::min(up, down) <= 0.6 ||
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
    // The cells drawn in the last frame that are not part of a grid.
    static std::vector<MovingCell> moving_cells() {
        std::vector<MovingCell> found;
        const ImDrawData& data = *ImGui::GetDrawData();
        for (int i = 0; i < data.CmdListsCount; ++i)
            for (const ImDrawCmd& command : data.CmdLists[i]->CmdBuffer)
                if (const QueuedMoving* moving = queued_moving(command))
                    found.insert(found.end(), moving->cells.begin(), moving->cells.end());
        return found;
    }
    static bool cross(const Rect& a, const Rect& b) {
        return a.x + 1 < b.right() && b.x + 1 < a.right() && a.y + 1 < b.bottom() &&
               b.y + 1 < a.bottom();
    }

    StageView view_;
    double now_ = 0;
};

}  // namespace tilereel
