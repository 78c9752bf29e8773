#pragma once
// What the stage keeps from frame to frame.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/element_uses.h"
#include "app/stage/general_view.h"
#include "app/stage/hazard_plan.h"
#include "app/stage/heat_view.h"
#include "app/stage/lane_view.h"
#include "app/stage/plan.h"
#include "app/ui/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// What the user has done to the picture (zoom and pan), and the animations that time alone drives.
struct StageView {
    float zoom = 1.0f;      // of A, B and C; 1 shows them whole, or what is watched of them
    bool whole = false;     // shows all of A, B and C, even if no values fit
    bool follows = true;    // what is shown of A, B and C follows what is watched
    ImVec2 pan{};           // first column and row of C that is shown, cells
    float pan_k = 0;        // first column of A and row of B that is shown, cells
    float shared_zoom = 1;  // of the shared arrays, and the first column and row shown of each
    std::vector<ImVec2> shared_pan;
    double settled_seconds = 0;  // since the replay stopped; flights then run out

    // Kept by draw_stage() from frame to frame.
    struct WarpMotion {
        Activity activity = Activity::kReady;
        double changed = -1e9;    // seconds, of Look::now_seconds
        bool released = false;    // has just gone through the gate
        std::uint32_t place = 0;  // at the gate, where it last waited
    };
    std::vector<WarpMotion> warps;
    struct Turning {  // of each shared array: the plane that stands large, and the one before it
        std::uint32_t plane = 0, former = 0;
        double changed = -1e9;  // seconds, of Look::now_seconds
    };
    std::vector<Turning> turning;
    struct FlightName {  // where it stands, from the middle of what it names
        ArrayId to = kNoArray;
        std::uint32_t plane = 0;
        ImVec2 offset{};
    };
    std::vector<FlightName> flight_names;
    double last_position = -1;    // Workbench::position() of the frame before
    double last_moved_from = -1;  // Workbench::moved_from() likewise
    bool jumped = true;           // this frame's picture is not to be animated from the last one
    bool was_cropped = false;     // only a part of A, B and C was shown
    // The pointer. Once it has moved and rests, a box says what is under it.
    std::optional<ImVec2> pointer{};
    double pointer_moved = 1e9;  // seconds, of Look::now_seconds; 1e9: it has not moved yet
    bool dragging = false;
    ImVec2 pressed_at{};
    std::vector<std::string> hover_lines;  // what the box beside the pointer says; empty: no box
    struct PointedElement {                // under the pointer, and the requests that access it
        std::uint64_t replay = 0;          // Replay::id(); 0: none
        ArrayId array = kNoArray;
        std::uint64_t byte = 0;
        std::vector<ElementUse> uses;
    } pointed_element;
    stage::StagePlan plan;
    stage::LaneView lanes;
    // Shared cells show which element they hold rather than its value. nullopt: only in arrays of
    // which some elements are not in their own column.
    std::optional<bool> names_elements{};
    bool names_some = false;  // some array had such elements in the last frame
    stage::HazardPlan hazards;
    stage::HeatView heat;
    stage::GeneralView general;
};

}  // namespace tilereel
