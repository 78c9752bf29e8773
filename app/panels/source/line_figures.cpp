#include "app/panels/source/line_figures.h"

#include <cmath>
#include <numeric>

#include "instrumentation/base/format/with_commas.h"

namespace tilereel {

LineCosts line_costs(const Replay& replay, const std::vector<AccessCounts>& counts,
                     LineFigure figure) {
    LineCosts costs;
    if (figure == LineFigure::kTicks) {
        const std::vector<Tick>& ticks = replay.schedule().ticks_of_line;
        costs.by_line.assign(ticks.begin(), ticks.end());
    } else {
        costs.by_line.reserve(counts.size());
        const auto number = [&](const AccessCounts& line) {
            switch (figure) {
                case LineFigure::kAccesses:
                    return line.accesses;
                case LineFigure::kSectors:
                    return line.transactions;
                case LineFigure::kLanesOff:
                    return line.lanes_off;
                default:
                    return line.wavefronts;
            }
        };
        for (const AccessCounts& line : counts) costs.by_line.push_back(number(line));
        costs.unit = figure == LineFigure::kAccesses   ? "accesses"
                     : figure == LineFigure::kSectors  ? replay.generation().global.units
                     : figure == LineFigure::kLanesOff ? "lanes off"
                                                       : "wavefronts";
    }
    costs.all = std::accumulate(costs.by_line.begin(), costs.by_line.end(), std::uint64_t{0});
    return costs;
}

std::string share_text(const LineCosts& costs, std::uint32_t line) {
    if (costs.of(line) == 0) return {};
    const auto percent =
        std::lround(100 * static_cast<double>(costs.of(line)) / static_cast<double>(costs.all));
    return "line " + std::to_string(line) + ": " +
           (percent == 0 ? "under 1%" : std::to_string(percent) + "%") + " of this block's " +
           std::string(costs.unit) + ", " + with_commas(costs.of(line)) + " of " +
           with_commas(costs.all);
}

}  // namespace tilereel
