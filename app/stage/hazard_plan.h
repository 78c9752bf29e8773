#pragma once
// Where hazards strike in the watched block's shared memory, worked out once a replay.
#include <span>
#include <vector>

#include "app/workbench/workbench.h"
#include "instrumentation/analysis/struck_cells.h"

namespace tilereel::stage {

class HazardPlan {
  public:
    // Computes anew for another generation, or where the replay is a new one (`replaced`).
    void refresh(const Workbench& workbench, bool replaced);

    // A cell that is struck in some epoch.
    struct Place {
        ArrayId array = kNoArray;
        std::uint32_t row = 0, column = 0;
        bool error = false;  // by one of its findings at least
    };
    // Each once, sorted.
    [[nodiscard]] std::span<const Place> places() const { return places_; }
    // What strikes a cell in an epoch.
    [[nodiscard]] std::span<const StruckCell> at(ArrayId array, std::uint32_t row,
                                                 std::uint32_t column, std::uint32_t epoch) const;
    // As at(), of this epoch or else of the next one in which the cell is struck, or else of the
    // one before.
    [[nodiscard]] std::span<const StruckCell> nearest(ArrayId array, std::uint32_t row,
                                                      std::uint32_t column,
                                                      std::uint32_t epoch) const;

  private:
    const Generation* generation_ = nullptr;
    std::vector<StruckCell> cells_;
    std::vector<Place> places_;
};

// The wrong element of C at this place; nullptr if it is right.
[[nodiscard]] const WrongElement* wrong_at(const Recording& recording, std::uint32_t row,
                                           std::uint32_t column);

}  // namespace tilereel::stage
