#pragma once
// The stage: A, B and C in the classical arrangement, shared tiles, banks, warps and the barrier.
//
// Its widgets (register_widget):
//   stage.registers: operands that lanes hold
//   stage.a.tile stage.b.tile stage.c.tile: the visible part of the current tiles
//   stage.map stage.a stage.b stage.c stage.warps stage.banks stage.request stage.reset_zoom
//   stage.reset_shared_zoom stage.whole (if values do not fit into all cells)
//   stage.warp.<n>, e.g. stage.warp.3: a warp's token; a click chooses the warp
//   stage.lane.<n>: a lane of the request; a click chooses the lane
//   stage.flight.<array>, e.g. stage.flight.Bs[1]: the name of a group that flies without values
//   stage.fragments stage.fragments.a .b .c (if lanes own several rows and columns of C)
//   stage.shared.<array>, e.g. stage.shared.As; in a multi-buffered array the large planes, e.g.
//   stage.shared.As.0; stage.ring.As.0 .1 ... are the small planes
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/element_uses.h"
#include "app/stage/general.h"
#include "app/stage/hazard_plan.h"
#include "app/stage/heat_view.h"
#include "app/stage/lane_view.h"
#include "app/stage/plan.h"
#include "app/ui/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// The user's changes of the picture (zoom and pan), and animations that depend on time.
struct StageView {
    float zoom = 1.0f;      // of A, B and C; at 1 all cells, or the whole watched part, are shown
    bool whole = false;     // shows all of A, B and C, even if no values fit
    bool follows = true;    // the shown part of A, B and C follows the watched part
    ImVec2 pan{};           // first column and row of C that is shown, cells
    float pan_k = 0;        // first column of A and row of B that is shown, cells
    float shared_zoom = 1;  // of the shared arrays
    std::vector<ImVec2> shared_pan;  // first column and row shown of each shared array
    double settled_seconds = 0;      // since the replay stopped; flights end in kRunOutSeconds

    // draw_stage() keeps the following members from frame to frame.
    struct WarpMotion {
        Activity activity = Activity::kReady;
        double changed = -1e9;    // time of the last change: Look::now_seconds
        bool released = false;    // the barrier has just released it
        std::uint32_t place = 0;  // its last place at the barrier
    };
    std::vector<WarpMotion> warps;
    struct Turning {  // of a shared array: the present large plane and the former one
        std::uint32_t plane = 0, former = 0;
        double changed = -1e9;  // time of the last change: Look::now_seconds
    };
    std::vector<Turning> turning;
    struct FlightName {  // the position of a name, relative to the middle of its group
        ArrayId to = kNoArray;
        std::uint32_t plane = 0;
        ImVec2 offset{};
    };
    std::vector<FlightName> flight_names;
    double last_position = -1;    // Workbench::position() in the previous frame
    double last_moved_from = -1;  // Workbench::moved_from() in the previous frame
    bool jumped = true;           // the change from the previous frame is not animated
    bool was_cropped = false;     // only a part of A, B and C was shown
    // The pointer. When it rests after a movement, a box describes what is under it.
    std::optional<ImVec2> pointer{};
    double pointer_moved = 1e9;  // time of the last movement: Look::now_seconds; 1e9: none yet
    bool dragging = false;
    ImVec2 pressed_at{};
    std::vector<std::string> hover_lines;  // text of the box beside the pointer; empty: no box
    struct PointedElement {                // under the pointer, and the requests that access it
        std::uint64_t replay = 0;          // Replay::id(); 0: none
        ArrayId array = kNoArray;
        std::uint64_t byte = 0;
        std::vector<ElementUse> uses;
    } pointed_element;
    stage::StagePlan plan;
    stage::LaneView lanes;
    // Shared cells show the name of their element instead of its value. nullopt: only in arrays
    // with elements that are not in their own column.
    std::optional<bool> names_elements{};
    bool names_some = false;  // an array had such elements in the last frame
    stage::HazardPlan hazards;
    stage::HeatView heat;
    stage::GeneralView general;
};

// The action of key 0: resets zoom and pan; if there is nothing to reset, switches between the
// watched part and all of A, B and C.
void show_all_or_watched(StageView& view);

// Draws the stage into `rect` of the current ImGui window. Returns the user's commands, such as a
// block chosen on the map or on C. Does not change any model.
Commands draw_stage(const Look& look, const Rect& rect, const Workbench& workbench,
                    StageView& view);

}  // namespace tilereel
