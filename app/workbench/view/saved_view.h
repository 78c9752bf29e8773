#pragma once
// A view of the window as one line of text: the recorded launch, the position of the replay, and
// the look. The window copies it (Ctrl+C) for a lecture note; `tilereel --state` opens it again.
//
// "kernel=09_tiled,m=16,n=16,k=16,tile=8,pad=1,block=0:1,tick=120,theme=light,text=28": fields in
// any order, those of a subject (subject.h) among them.
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/replay/places/navigation.h"
#include "app/subject/subject.h"
#include "app/workbench/view/pattern_lab.h"
#include "app/workbench/view/view_state.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct SavedView {
    Subject subject{};
    double tick = 1;  // as in the timeline, from 1 on
    StepUnit unit = StepUnit::kRequest;
    double speed = 1;
    std::optional<std::uint32_t> warp{};  // the chosen warp; nullopt: that of the request in flight
    std::uint32_t lane = 0;
    float zoom = 1, shared_zoom = 1;
    bool all_cells = false;  // shows all of A, B and C, even if no values fit
    // First column and row of C and first column of A that are shown, in cells; nullopt: the
    // picture follows the watched part.
    std::optional<std::array<float, 3>> pan{};
    std::optional<Subject> compared{};         // the other side of a comparison
    std::optional<PatternQuestion> pattern{};  // of the Pattern lab; nullopt: its default
    ViewState view{};                          // without overlays
};

[[nodiscard]] std::string text_of(const SavedView& view);
// kWrongCall names the wrong field and its valid values. Does not check whether the kernel can have
// the parameters.
[[nodiscard]] Result<SavedView> parse_view(std::string_view text);

}  // namespace tilereel
