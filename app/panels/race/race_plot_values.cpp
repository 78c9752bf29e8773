// The values of the plot over N in the current unit, the limits of the device, and the card of a
// point.
#include <algorithm>
#include <cmath>

#include "app/panels/race/race_plot_parts.h"
#include "app/ui/widgets/tip.h"
#include "app/workbench/tables/datasheet.h"

namespace tilereel {

std::optional<double> plotted_value(const RaceContext& race, const ShownRace& shown,
                                    std::uint32_t c, std::uint32_t s) {
    const RacePlot plot = race.plot();
    if (plot == RacePlot::kSpeedUp) return speed_up(shown.race.request, shown.figures, c, s);
    const auto gflops = shown.figures.median(c, s);
    if (plot == RacePlot::kTime)
        return gflops ? std::optional(1000 * shown.figures.entries[c][s].milliseconds)
                      : std::nullopt;
    if (plot != RacePlot::kBandwidth || !gflops) return gflops;
    return effective_bandwidth(shown.race.request.sizes[s], *gflops,
                               inputs_of(shown.race.request.contenders[c]));
}

std::string value_text(const RaceContext& race, double value) {
    return race.plot() == RacePlot::kSpeedUp ? times_text(value) : figure_text(value);
}

std::vector<Level> levels_of(const RaceContext& race) {
    const RacePlot plot = race.plot();
    if (plot == RacePlot::kSpeedUp) return {{1, "naive", true}};
    if (plot == RacePlot::kTime) return {};
    const bool bandwidth = plot == RacePlot::kBandwidth || !race.of_products();
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
    const bool tensor = sheet != nullptr && !bandwidth && sheet->bf16_gflops > 0 &&
                        std::ranges::any_of(race.contenders(), [](const Contender& each) {
                            return inputs_of(each) == InputType::kBfloat16;
                        });
    if (tensor) levels.push_back({sheet->bf16_gflops, "BF16 by datasheet", false});
    if (measured > 0)
        levels.push_back({measured, bandwidth ? "measured copy" : "measured FMA loop", true});
    std::ranges::sort(levels, std::ranges::greater{}, &Level::value);
    return levels;
}

void draw_pulse(const RaceContext& race, std::uint32_t contender, ImVec2 at) {
    const Look& look = race.look;
    const auto phase = static_cast<float>(look.now_seconds - std::floor(look.now_seconds));
    const float radius = look.px(8) + phase * look.px(10);
    register_widget("race.pulse." + std::to_string(contender),
                    {at.x - look.px(8), at.y - look.px(8), 2 * look.px(8), 2 * look.px(8)});
    draw_list()->AddCircle(at, radius, mix(race.colors().accent, race.colors().panel, phase), 0,
                           look.px(2.5f));
}

void draw_point_card(const RaceContext& race, const PlottedPoint& point, float px) {
    const Look& look = race.look;
    px = tip_type(px);
    const Contender& contender = race.contenders()[point.contender];
    const RaceEntry& entry = race.shown->figures.entries[point.contender][point.size];
    const Statistics& spread = *entry.rate;
    std::vector<std::string> lines;
    lines.push_back(figure_text(spread.median) + " " + race.unit() + ", median of " +
                    std::to_string(spread.count));
    lines.push_back("slowest " + figure_text(spread.least) + ", middle half " +
                    figure_text(spread.first_quartile) + " to " +
                    figure_text(spread.third_quartile) + ", fastest " + figure_text(spread.most));
    if (spread_is_large(spread)) lines.push_back("uncertain: the machine was busy");
    if (race.plot() == RacePlot::kSpeedUp) lines.push_back(times_text(point.value) + " naive");
    if (race.plot() == RacePlot::kBandwidth)
        lines.push_back(figure_text(point.value) + " GB/s effective");
    if (const auto share = share_of_reference(race.shown->figures, point.contender, point.size))
        lines.push_back(figure_text(100 * *share) + " % of the reference");
    if (!race.of_products())
        lines.push_back(figure_text(1000 * entry.milliseconds) + " us a launch");
    if (entry.outcome == Outcome::kVerified)
        lines.push_back(race.of_products() ? "C verified before it was timed"
                                           : "results compared with the CPU's");
    if (entry.outcome == Outcome::kUnchecked) lines.push_back("not checked: " + entry.sentence);
    if (entry.conditions.sm_clock_mhz)
        lines.push_back("SM clock " + figure_text(*entry.conditions.sm_clock_mhz) + " MHz");
    if (find_kernel(contender.kernel) != nullptr) lines.push_back("click: replay it");
    const std::string head = short_name(contender) + ", " + size_text(race.sizes()[point.size]);
    const HoverCard words{look, head, {Face::kSemiBold, px, race.colors().ink}, lines, px};
    const float away = look.px(18), edge = look.wide();
    Rect card{point.at.x + away, point.at.y + away, words.size().x, words.size().y};
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if (card.right() > screen.x - edge) card.x = point.at.x - away - card.w;
    if (card.bottom() > screen.y - edge) card.y = point.at.y - away - card.h;
    words.draw(card);
}

}  // namespace tilereel
