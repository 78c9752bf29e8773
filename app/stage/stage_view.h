#pragma once
// The state that the stage keeps from frame to frame.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/replay/arrays/element_uses.h"
#include "app/stage/general/general_view.h"
#include "app/stage/heat_view.h"
#include "app/stage/lane_view.h"
#include "app/stage/layout/stage_layout.h"
#include "app/stage/plan/hazard_plan.h"
#include "app/workbench/view/shared_form.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// The zoom and pan that are shown, and the state of animations that depend on time only.
struct StageView : stage::UserZoom {
    StageZoom taken_zoom{};      // of the workbench, as it was taken over last
    double settled_seconds = 0;  // time since the replay stopped; flights end then

    // Managed by draw_stage().
    struct WarpMotion {
        Activity activity = Activity::kReady;
        double changed = -1e9;    // seconds, of Look::now_seconds
        bool waited = false;      // at the barrier, before what it does now
        std::uint32_t place = 0;  // last place in the queue at the barrier
    };
    std::vector<WarpMotion> warps;
    struct PlaneChange {  // for each shared array: the large plane, and the previous one
        std::uint32_t plane = 0, former = 0;
        double changed = -1e9;  // seconds, of Look::now_seconds
    };
    std::vector<PlaneChange> plane_changes;
    // Shared memory in the last frame, and what glides to a new PAD or TILE (word_glide.h).
    struct SharedPicture {
        std::uint64_t replay = 0;  // Replay::id()
        SharedForm form;
        std::uint32_t wavefronts = 0;  // of the running request; 0: it is not to shared memory
        std::string request;           // "load As"
        std::vector<stage::SharedView> views;
        std::vector<std::string> names;  // of their arrays
        Rect stage;                      // in which they lay
    };
    struct Glide {
        SharedPicture last, from;
        // By shared array, then by cell, rows of `last` one after the other: where the element was.
        std::vector<std::pair<std::string, std::vector<Element>>> former_places;
        double begun = -1e9;  // seconds, of Look::now_seconds
    } glide;
    double last_position = -1;    // Workbench::position() of the previous frame
    double last_moved_from = -1;  // Workbench::moved_from() of the previous frame
    bool jumped = true;           // do not animate from the previous frame to this one
    bool was_cropped = false;     // only a part of A, B and C was visible
    // The pointer. When it rests after a movement, a box describes the item under it.
    std::optional<ImVec2> pointer{};
    double pointer_moved = 1e9;  // seconds, of Look::now_seconds; 1e9: it has not moved yet
    bool dragging = false;
    ImVec2 pressed_at{};
    std::vector<std::string> hover_lines;  // text of the box beside the pointer; empty: no box
    struct PointedElement {        // the element under the pointer, and the requests that access it
        std::uint64_t replay = 0;  // Replay::id(); 0: none
        ArrayId array = kNoArray;
        std::uint64_t byte = 0;
        std::vector<ElementUse> uses;
        std::string title;  // "As[2][3] = 0.5"
        bool now = false;   // in this frame
    } pointed_element;
    stage::StagePlan plan;
    stage::LaneView lanes;
    bool any_moved = false;  // an array had such elements in the last frame
    stage::HazardPlan hazards;
    stage::HeatView heat;
    stage::GeneralView general;
};

}  // namespace tilereel
