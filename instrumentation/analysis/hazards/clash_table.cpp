#include "instrumentation/analysis/hazards/clash_table.h"

#include <algorithm>

namespace tilereel {
namespace {

// The order in which clashes are listed.
auto by_threads(const Finding& found) {
    const auto [first, second] = std::pair(found.first.thread, found.second.thread);
    return std::tuple(std::min(first, second), std::max(first, second), first, found.first.site);
}

}  // namespace

void ClashTable::add(const Finding& found, std::uint32_t element, bool under_way) {
    Clashes& clashes =
        clashes_[{found.hazard, found.severity, std::min(found.first.site, found.second.site),
                  std::max(found.first.site, found.second.site)}];
    clashes.under_way = clashes.under_way || under_way;
    const auto [at, fresh] = clashes.at.try_emplace({found.epoch, element}, found);
    if (!fresh && by_threads(found) < by_threads(at->second)) at->second = found;
}

void ClashTable::report(const Report& report) {
    for (auto& [kind, clashes] : clashes_) {
        std::vector<std::pair<std::uint32_t, Finding>> all;
        for (auto& [place, found] : clashes.at) {
            if (found.hazard == Hazard::kCopyUnderWay && !clashes.under_way) {
                found.hazard = Hazard::kRace;
                std::swap(found.first, found.second);
            }
            all.emplace_back(place.second, found);
        }
        std::ranges::stable_sort(all, {}, [](const auto& clash) {
            return std::tuple(clash.second.epoch, by_threads(clash.second));
        });
        for (const auto& [element, found] : all) report(found, element);
    }
}

}  // namespace tilereel
