#pragma once
// The array of a finding as a grid: its cell marked, the other cells of its findings faint.
#include <span>

#include "app/stage/plan/hazard_plan.h"
#include "app/ui/rect.h"
#include "app/ui/theme.h"

namespace tilereel::stage {

// The part of an array that the grid shows. An array of one extent is laid out in rows of 32.
struct GridPart {
    std::uint32_t rows = 0, columns = 0;  // of the whole grid
    CellRect shown;                       // contains `cell`
    Element cell;                         // of the finding
    std::uint32_t fold = 0;               // elements of a row; 0: rows as in the array
};
// `most`: columns and rows that have room.
[[nodiscard]] GridPart part_of_grid(const Array& array, Element cell, Element most);

// `affected`: cells of any array that hazards affect. Nothing is drawn where a cell would be
// smaller than it can be seen.
void draw_finding_grid(const Look& look, const Rect& area, const Array& array,
                       const Finding& finding, std::span<const HazardPlan::Place> affected,
                       ColorRole role);

}  // namespace tilereel::stage
