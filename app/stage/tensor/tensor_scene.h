#pragma once
// What all parts of the pictures of tensor cores draw from.
#include <cmath>
#include <optional>

#include "app/replay/tensor/tensor_moment.h"
#include "app/stage/stage_view.h"
#include "app/ui/draw/draw.h"
#include "app/workbench/workbench.h"

namespace tilereel::stage {

// Whether the window shows a replay's stage: on its page, or in a scene of a lesson.
[[nodiscard]] inline bool shows_stage(const Workbench& workbench) {
    const WindowMode mode = workbench.view().mode;
    return mode == WindowMode::kReplay || mode == WindowMode::kLessons;
}

// What every picture of tensor cores has.
struct LaneScene {
    const Look& look;
    const Workbench& workbench;
    const Replay& replay;
    int lane = 0;                  // the chosen one
    std::optional<int> pointed{};  // the lane under the pointer
    Commands commands{};

    [[nodiscard]] const Palette& colors() const { return look.colors(); }
    [[nodiscard]] float u(float units) const { return std::round(look.px(units)); }
    [[nodiscard]] float f(float units) const { return look.font_px(units); }
    [[nodiscard]] const RequestState& request() const { return replay.state().request; }
    // A lesson shows nothing to press: its keys are others.
    [[nodiscard]] bool has_controls() const {
        return workbench.view().mode != WindowMode::kLessons;
    }
};

struct TensorScene : LaneScene {
    const TensorMoment& moment;
    ColorRole array_role = ColorRole::kA;  // of the array that the request accesses
    // The wavefront that is served now, and how far its pieces have flown, 0 to 1. Of another warp
    // than that of the request, all has landed.
    std::uint32_t wavefront = 0;
    float progress = 1;
    bool flies = false;  // the pieces of the wavefront are in the air
    // How much of the product is lit, 0 to 1: first the row of A and the column of B, then C.
    float lit = 0;

    [[nodiscard]] bool has_landed(std::uint32_t of_wavefront) const {
        return !moment.is_request || of_wavefront < wavefront ||
               (of_wavefront == wavefront && !flies);
    }
    [[nodiscard]] bool stores() const {
        return moment.operation == Operation::kMatrixStore || moment.stores_sums;
    }
};

// The colour of a fragment; `which`: index into TensorMoment::fragments.
[[nodiscard]] inline ColorRole role_of_fragment(const TensorScene& scene, std::size_t which) {
    if (!scene.moment.product) return scene.array_role;
    return which == 0 ? ColorRole::kA : which == 1 ? ColorRole::kB : ColorRole::kC;
}

}  // namespace tilereel::stage
