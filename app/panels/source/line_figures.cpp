#include "app/panels/source/line_figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/panels/array_role.h"
#include "app/workbench/time/estimate_figures.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

constexpr double kWhole = 1000;  // of LineCosts::all, if `estimated`

// The colour of an array of an estimate: its recording and the shown one name their arrays alike.
ColorRole role_of_name(const Replay& replay, std::string_view name) {
    const auto& arrays = replay.trace().arrays;
    for (ArrayId array = 0; array < arrays.size(); ++array)
        if (arrays[array].name == name) return role_of_array(replay, array);
    return ColorRole::kNone;
}

}  // namespace

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
        costs.unit = figure == LineFigure::kAccesses ? "accesses"
                     : figure == LineFigure::kSectors
                         ? std::string(replay.generation().global.units)
                     : figure == LineFigure::kLanesOff ? "lanes off"
                                                       : "wavefronts";
    }
    costs.all = std::accumulate(costs.by_line.begin(), costs.by_line.end(), std::uint64_t{0});
    return costs;
}

std::string shared_by_lines(const TimeEstimate& estimate) {
    return estimate.latency ? "the waiting" : "the " + std::string(unit_of_lines(estimate.limiter));
}

LineCosts time_costs(const EstimatedLaunch& launch, const Replay& replay) {
    const TimeEstimate& found = launch.estimate;
    LineCosts costs{.unit = "est. time", .by_line = {}, .estimated = true};
    double waited = 0;
    for (const LineTime& line : found.lines) waited += line.waited;
    for (const LineTime& line : found.lines) {
        if (line.file != 0) continue;
        const double share = !found.latency ? line.share : waited > 0 ? line.waited / waited : 0;
        if (share <= 0) continue;
        if (costs.by_line.size() <= line.line) {
            costs.by_line.resize(line.line + 1);
            costs.parts.resize(line.line + 1);
        }
        costs.by_line[line.line] =
            std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(kWhole * share)));
        if (found.latency) continue;
        for (const ArrayShare& part : line.arrays)
            costs.parts[line.line].push_back(
                {part.array < launch.arrays.size()
                     ? role_of_name(replay, launch.arrays[part.array].name)
                     : ColorRole::kNone,
                 static_cast<float>(part.share)});
    }
    costs.all = static_cast<std::uint64_t>(kWhole);
    return costs;
}

std::string LineCosts::text(std::uint32_t line) const {
    if (of(line) == 0) return {};
    return estimated ? tilereel::share_text(static_cast<double>(share(line)))
                     : with_commas(of(line));
}

std::string share_text(const LineCosts& costs, std::uint32_t line) {
    if (costs.of(line) == 0) return {};
    if (costs.estimated)
        return "line " + std::to_string(line) + ": " + costs.text(line) +
               " of the time, estimated, not measured";
    const auto percent =
        std::lround(100 * static_cast<double>(costs.of(line)) / static_cast<double>(costs.all));
    return "line " + std::to_string(line) + ": " +
           (percent == 0 ? "under 1%" : std::to_string(percent) + "%") + " of this block's " +
           costs.unit + ", " + with_commas(costs.of(line)) + " of " + with_commas(costs.all);
}

}  // namespace tilereel
