#pragma once
// The cells of the watched block's shared memory that hazards affect, computed once for each
// replay.
#include <span>
#include <vector>

#include "app/workbench/workbench.h"
#include "instrumentation/analysis/hazards/affected_cells.h"

namespace tilereel::stage {

class HazardPlan {
  public:
    // Computes the cells again if the generation has changed, or if the replay has (`replaced`).
    void refresh(const Workbench& workbench, bool replaced);

    // A cell that is affected in any epoch.
    struct Place {
        ArrayId array = kNoArray;
        Element at;
        bool error = false;  // at least one of its findings is an error
        Tick from = 0;       // when the first of its conflicting accesses begins
    };
    // Sorted, without duplicates.
    [[nodiscard]] std::span<const Place> places() const { return places_; }
    // The findings at a cell in an epoch.
    [[nodiscard]] std::span<const AffectedCell> at(ArrayId array, Element element,
                                                   std::uint32_t epoch) const;
    // at() for this epoch, or for the next one in which the cell is affected, or else for the last
    // one before.
    [[nodiscard]] std::span<const AffectedCell> nearest(ArrayId array, Element element,
                                                        std::uint32_t epoch) const;

  private:
    const Generation* generation_ = nullptr;
    std::vector<AffectedCell> cells_;
    std::vector<Place> places_;
};

// The wrong element of C at this place; nullptr if that element is right.
[[nodiscard]] const WrongElement* wrong_at(const Recording& recording, Element at);

}  // namespace tilereel::stage
