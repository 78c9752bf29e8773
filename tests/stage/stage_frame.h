#pragma once
// Frames of the stage alone, drawn in process without a window.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/replay/places/navigation.h"
#include "app/stage/stage.h"
#include "app/ui/cells/cell_renderer.h"
#include "app/ui/cells/cells.h"
#include "app/ui/draw/drawn_text.h"
#include "app/ui/frame/ui_frame.h"
#include "app/ui/widgets/widgets.h"
#include "app/workbench/playhead.h"
#include "kernels/openings.h"
#include "tests/workbench/remembered_recordings.h"

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
        options.record = remembered_recordings();
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

    // The objects that moved in the last frame, by their request.
    static std::vector<std::pair<std::string, Rect>> moving_objects() {
        std::vector<std::pair<std::string, Rect>> found;
        for_each_widget([&](std::string_view name, const Rect& box) {
            if (name.starts_with("stage.moving.")) found.emplace_back(name, box);
        });
        return found;
    }
    // Draws the frame in which a replay that plays reaches `tick`. Returns its texts.
    std::vector<DrawnText> frame_at(Workbench& bench, double tick, const Rect& rect, float text) {
        bench.apply(Command{SeekTo{std::max(0.0, tick - 16), false}});
        frame(bench, 0, rect, text);
        bench.apply(Command{PlayPause{}});
        bench.advance((tick - bench.position()) * kSecondsATick);
        std::vector<DrawnText> texts;
        record_drawn_text(&texts);
        frame(bench, 0.5, rect, text);
        record_drawn_text(nullptr);
        bench.apply(Command{PlayPause{}});
        return texts;
    }
    // Headings and sentences: no values, and nothing that moves.
    static bool is_words(const DrawnText& text) {
        return !text.in_motion && text.face != Face::kMono && text.face != Face::kMonoBold;
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
