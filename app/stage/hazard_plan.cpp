#include "app/stage/hazard_plan.h"

#include <algorithm>
#include <tuple>

namespace tilereel::stage {

void HazardPlan::refresh(const Workbench& workbench, bool replaced) {
    const Recording& recording = *workbench.recording();
    if (!replaced && generation_ == recording.generation) return;
    generation_ = recording.generation;
    cells_ = affected_cells(*recording.trace, recording.findings, workbench.replay()->block(),
                            *generation_);
    places_.clear();
    for (const AffectedCell& cell : cells_)
        places_.push_back({cell.array,
                           {cell.row, cell.column},
                           recording.findings[cell.finding].severity == Severity::kError});
    // Errors come first, so that unique() keeps an error.
    std::ranges::sort(places_, {}, [](const Place& place) {
        return std::tuple(place.array, place.at.row, place.at.column, !place.error);
    });
    const auto again = std::ranges::unique(
        places_, {}, [](const Place& place) { return std::pair(place.array, place.at); });
    places_.erase(again.begin(), again.end());
}

std::span<const AffectedCell> HazardPlan::at(ArrayId array, Element element,
                                             std::uint32_t epoch) const {
    return std::ranges::equal_range(cells_, std::tuple(epoch, array, element.row, element.column),
                                    {}, [](const AffectedCell& cell) {
                                        return std::tuple(cell.epoch, cell.array, cell.row,
                                                          cell.column);
                                    });
}

std::span<const AffectedCell> HazardPlan::nearest(ArrayId array, Element element,
                                                  std::uint32_t epoch) const {
    const std::uint32_t epochs = cells_.empty() ? 0 : cells_.back().epoch + 1;
    for (std::uint32_t later = epoch; later < epochs; ++later)
        if (const auto here = at(array, element, later); !here.empty()) return here;
    for (std::uint32_t earlier = std::min(epoch, epochs); earlier-- > 0;)
        if (const auto here = at(array, element, earlier); !here.empty()) return here;
    return {};
}

const WrongElement* wrong_at(const Recording& recording, Element at) {
    const auto found =
        std::ranges::lower_bound(recording.wrong, std::tuple(at.row, at.column), {},
                                 [](const WrongElement& e) { return std::tuple(e.row, e.column); });
    const bool here = found != recording.wrong.end() && Element{found->row, found->column} == at;
    return here ? &*found : nullptr;
}

}  // namespace tilereel::stage
