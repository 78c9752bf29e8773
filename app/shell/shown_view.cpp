#include "app/shell/shown_view.h"

#include <imgui.h>

#include <algorithm>

#include "app/subject/rung_launch.h"
#include "app/workbench/comparison.h"

namespace tilereel {
std::optional<SavedView> shown_view(const Workbench& workbench) {
    const Recording* const recording = workbench.recording();
    const Replay* const replay = workbench.replay();
    if (recording == nullptr || replay == nullptr) return std::nullopt;
    const std::optional<Subject> subject = shown_subject(workbench);
    if (!subject) return std::nullopt;
    SavedView view;
    view.subject = *subject;
    const std::uint32_t columns = std::max(recording->trace->launch.grid.x, 1u);
    view.subject.block_x = replay->block() % columns;
    view.subject.block_y = replay->block() / columns;
    view.tick = std::max(workbench.position(), 0.0) + 1;
    view.unit = workbench.unit();
    view.speed = workbench.speed();
    view.warp = workbench.watched_thread().chosen_warp();
    view.lane = workbench.watched_thread().lane();
    const StageZoom& zoom = workbench.stage_zoom();
    view.zoom = zoom.zoom;
    view.shared_zoom = zoom.shared_zoom;
    view.all_cells = zoom.whole;
    if (!zoom.follows) {
        view.pan = zoom.pan;
        for (float& first : *view.pan) first = std::max(first, 0.0f);
    }
    if (const Subject* side = workbench.compared_with(); side != nullptr) {
        view.compared = *side;
        if (!side->file.empty()) view.compared->file = absolute_path(side->file);
    }
    if (workbench.lab().question() != PatternQuestion{}) view.pattern = workbench.lab().question();
    view.view = workbench.view();
    return view;
}

std::string copy_view(const Workbench& workbench) {
    const std::optional<SavedView> view = shown_view(workbench);
    if (!view) return "There is nothing to copy yet";
    ImGui::SetClipboardText(("tilereel --state " + text_of(*view)).c_str());
    const bool own =
        !view->subject.kernel.empty() && !workbench.recording()->request.inputs.a.empty();
    return own ? "Copied a command that opens this view again, with random matrices instead of "
                 "yours"
               : "Copied a command that opens this view again";
}

void ViewRestorer::advance(Workbench& workbench) {
    while (next_ != Next::kNothing && workbench.replay() != nullptr && !workbench.program_busy() &&
           workbench.recording_progress() == nullptr)
        do_next(workbench);
}

void ViewRestorer::show(Workbench& workbench) const {
    const Launch& launch = workbench.replay()->trace().launch;
    if (view_.warp.value_or(0) < launch.warps()) workbench.apply(ChooseWarp{view_.warp});
    if (view_.lane > 0 && view_.lane < launch.threads()) workbench.apply(ChooseLane{view_.lane});
    workbench.apply(SetZoom{{.zoom = view_.zoom,
                             .whole = view_.all_cells,
                             .follows = !view_.pan,
                             .pan = view_.pan.value_or(std::array<float, 3>{}),
                             .shared_zoom = view_.shared_zoom,
                             .shared_pan = {}}});
}

void ViewRestorer::do_next(Workbench& workbench) {
    switch (std::exchange(next_, static_cast<Next>(static_cast<int>(next_) + 1))) {
        case Next::kLaunch:
            if (workbench.shows_program() && workbench.program()->launch != view_.subject.launch)
                workbench.apply(ChooseLaunch{view_.subject.launch});
            return;
        case Next::kBlock:
            workbench.apply(WatchBlock{view_.subject.block_x, view_.subject.block_y});
            return;
        case Next::kCompare:
            if (view_.compared) workbench.apply(Command{Compare{{}, *view_.compared}});
            return;
        case Next::kRest:
            workbench.apply(
                Commands{SeekTo{view_.tick - 1, false}, SetUnit{view_.unit}, SetSpeed{view_.speed},
                         SelectTab{view_.view.tab}, SetMode{view_.view.mode},
                         ShowHeat{view_.view.heat}, SetLineFigure{view_.view.line_figure},
                         SetTimeSize{view_.view.time_size}, SetMotion{view_.view.motion}});
            if (view_.pattern) workbench.apply(Command{AskPattern{*view_.pattern}});
            while (workbench.comparing() && workbench.view().sides != view_.view.sides)
                workbench.apply(ShowNextSide{});
            if (view_.view.phase_table) workbench.apply(TogglePhaseTable{});
            show(workbench);
            return;
        case Next::kNothing:
            return;
    }
}

}  // namespace tilereel
