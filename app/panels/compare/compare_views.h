#pragma once
// The parts around the two pictures of a comparison. A side is drawn from its own workbench.
//
// Names under which they are registered (register_widget):
//   compare.left compare.right (above each picture) compare.differences
//   compare.track.left compare.track.right (drag: both sides go there)
//   The parts of the right picture have the names of stage.h with "right." before them.
#include <array>
#include <string>

#include "app/panels/panels.h"

namespace tilereel {

// What is compared now; made once a frame, only while the replays are in lock-step.
struct CompareView {
    const Look& look;
    const Workbench& workbench;  // the left side's
    const LockStep& steps;
    std::array<const Workbench*, 2> sides;
    std::array<std::string, 2> labels;
    [[nodiscard]] const LockStepEntry& entry() const {
        return steps.entry_at(workbench.common_position());
    }
    [[nodiscard]] const Replay& replay(Side side) const {
        return *sides[static_cast<std::size_t>(side)]->replay();
    }
    [[nodiscard]] const std::string& label(Side side) const {
        return labels[static_cast<std::size_t>(side)];
    }
    // The cost of the side's step in this entry; nullptr: the side has no step.
    [[nodiscard]] const RequestCost* cost(Side side) const;
};
// The number that tells what a request costs, and its unit: wavefronts of shared memory,
// transactions of global memory.
struct CostFigure {
    std::uint32_t number = 0;
    std::string unit;
    bool conflict = false;
};
[[nodiscard]] CostFigure cost_figure(const CompareView& view, Side side);
inline constexpr std::array kSides = {Side::kLeft, Side::kRight};

// The name of the side, what its request costs, and whether it runs or waits.
[[nodiscard]] float compare_head_height(const Look& look);
void draw_compare_head(const CompareView& view, const Rect& rect, Side side);
// The counters of both sides and how they differ; a column of them, or as many as fit in a row.
void draw_differences(const CompareView& view, const Rect& card, float& scroll);
[[nodiscard]] float differences_row_height(const Look& look);
void draw_differences_row(const CompareView& view, const Rect& card);
// Transport, and a track for each side on one scale.
Commands draw_compare_timeline(const CompareView& view, const Rect& rect, PanelMemory& memory);
[[nodiscard]] Sentence compare_sentence(const CompareView& view);

}  // namespace tilereel
