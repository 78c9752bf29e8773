// The values of the plot over N in the current unit, and the limits of the device.
#include <algorithm>

#include "app/panels/race/race_plot_parts.h"
#include "app/workbench/datasheet.h"

namespace tilereel {

std::optional<double> plotted_value(const RaceContext& race, const ShownRace& shown,
                                    std::uint32_t c, std::uint32_t s) {
    const RacePlot plot = race.bench.view().plot;
    if (plot == RacePlot::kSpeedUp) return speed_up(shown.race.request, shown.figures, c, s);
    const auto gflops = shown.figures.median(c, s);
    if (plot != RacePlot::kBandwidth || !gflops) return gflops;
    return effective_bandwidth(shown.race.request.sizes[s], *gflops);
}

std::string value_text(const RaceContext& race, double value) {
    return race.bench.view().plot == RacePlot::kSpeedUp ? times_text(value) : figure_text(value);
}

std::vector<Level> levels_of(const RaceContext& race) {
    const RacePlot plot = race.bench.view().plot;
    if (plot == RacePlot::kSpeedUp) return {{1, "naive", true}};
    const bool bandwidth = plot == RacePlot::kBandwidth;
    const RaceMachine& machine = race.shown->race.machine;
    const Datasheet* sheet = machine.gpu ? datasheet_of(machine.device) : nullptr;
    std::vector<Level> levels;
    const double promised = sheet == nullptr ? 0
                            : bandwidth      ? sheet->bandwidth_gbs
                                             : sheet->peak_gflops;
    const double measured =
        bandwidth ? machine.measured_bandwidth_gbs : machine.measured_peak_gflops;
    if (promised > 0)
        levels.push_back({promised, bandwidth ? "by datasheet" : "FP32 by datasheet", false});
    if (measured > 0)
        levels.push_back({measured, bandwidth ? "measured copy" : "measured FMA loop", true});
    std::ranges::sort(levels, std::ranges::greater{}, &Level::value);
    return levels;
}

}  // namespace tilereel
