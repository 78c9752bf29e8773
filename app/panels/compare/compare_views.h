#pragma once
// The parts around the two pictures of a comparison. Each side is drawn from its own workbench.
//
// Widget names (register_widget):
//   compare.left compare.right (above each picture) compare.differences
//   compare.track.left compare.track.right (dragging moves both sides)
//   The parts of the right picture have the names of stage.h with the prefix "right."
#include <array>
#include <string>

#include "app/panels/panel_table.h"
#include "app/panels/panels.h"

namespace tilereel {

// The state of a comparison. Made once for each frame, but only while the replays are in lock-step.
struct CompareView {
    const Look& look;
    const Workbench& workbench;  // the left side's
    const LockStep& steps;
    std::array<const Workbench*, 2> sides;
    std::array<std::string, 2> labels;
    bool folds = false;  // no room for the counters: each header has the first one that differs
    [[nodiscard]] const LockStepEntry& entry() const {
        return steps.entry_at(workbench.common_position());
    }
    [[nodiscard]] const Replay& replay(Side side) const {
        return *sides[static_cast<std::size_t>(side)]->replay();
    }
    [[nodiscard]] const std::string& label(Side side) const {
        return labels[static_cast<std::size_t>(side)];
    }
    // The cost of the side's step in the current entry. nullptr if the side has no step there.
    [[nodiscard]] const RequestCost* cost(Side side) const;
};
// The cost of a request as a number and its unit: wavefronts for shared memory, transactions for
// global memory.
struct CostFigure {
    std::uint32_t number = 0;
    std::string unit;
    bool conflict = false;
};
[[nodiscard]] CostFigure cost_figure(const CompareView& view, Side side);
inline constexpr std::array kSides = {Side::kLeft, Side::kRight};

// The header above a picture: the side's name, the cost of its request, and whether it runs or
// waits.
[[nodiscard]] float compare_head_height(const Look& look);
void draw_compare_head(const CompareView& view, const Rect& rect, Side side);
// The counters of both sides and their differences, as a table or in one row.
[[nodiscard]] float differences_width(const CompareView& view);
void draw_differences(const CompareView& view, const Rect& card, TableScroll& scroll);
// "32,736 bank conflicts": the first counter of the whole kernel that differs, on this side. Empty:
// none does.
struct DifferenceWords {
    std::string text;
    bool conflict = false;
};
[[nodiscard]] DifferenceWords first_difference(const CompareView& view, Side side);
[[nodiscard]] float differences_row_height(const Look& look);
void draw_differences_row(const CompareView& view, const Rect& card, TableScroll& scroll);
// Transport controls, and a track for each side on the same time scale.
Commands draw_compare_timeline(const CompareView& view, const Rect& rect, PanelMemory& memory);
[[nodiscard]] Sentence compare_sentence(const CompareView& view);

}  // namespace tilereel
