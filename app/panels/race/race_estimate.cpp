// The estimated speed of the watched product, where the shown race has not measured it.
#include <algorithm>
#include <array>

#include "app/panels/race/race_plot_parts.h"
#include "app/workbench/time/estimate_figures.h"

namespace tilereel {
namespace {

// M, N and K of the watched product; nullopt: it is none.
std::optional<ProductSize> size_of(const Workbench& workbench) {
    if (const RecordRequest* const asked = workbench.timed_request())
        return ProductSize{asked->parameters.m, asked->parameters.n, asked->parameters.k};
    const Recording* const recording = workbench.recording();
    if (recording == nullptr || !recording->trace->product) return std::nullopt;
    const Launch& launch = recording->trace->launch;
    return ProductSize{static_cast<int>(launch.m), static_cast<int>(launch.n),
                       static_cast<int>(launch.k)};
}

// Whether the shown race has measured this launch.
bool is_measured(const RaceContext& race, const RecordRequest& asked, const ProductSize& size) {
    const auto contender = find_contender(
        race.shown->race.request, {asked.kernel, asked.parameters.tile, asked.parameters.pad});
    const auto at = std::ranges::find(race.sizes(), size);
    return contender && at != race.sizes().end() &&
           race.shown->figures.median(*contender,
                                      static_cast<std::uint32_t>(at - race.sizes().begin()));
}

std::string name_of_watched(const Workbench& workbench) {
    if (const RecordRequest* const asked = workbench.timed_request())
        return short_name({asked->kernel, asked->parameters.tile, asked->parameters.pad});
    return workbench.recording()->trace->launch.kernel;
}

}  // namespace

std::optional<EstimatedPoint> estimated_point(const RaceContext& race) {
    const TimeAnswer* const answer = race.workbench.time_answer();
    if (race.plot() != RacePlot::kGflops || answer == nullptr || !answer->launch)
        return std::nullopt;
    if (!race.of_products()) return std::nullopt;
    if (!race.shown->race.machine.gpu) return std::nullopt;  // estimates are of GPUs
    const TimeEstimate& found = answer->launch->estimate;
    const std::optional<ProductSize> size = size_of(race.workbench);
    if (!size || found.kind != EstimateKind::kAbout || found.seconds <= 0) return std::nullopt;
    if (const RecordRequest* const asked = race.workbench.timed_request();
        asked != nullptr && is_measured(race, *asked, *size))
        return std::nullopt;
    const auto gflops = [&](double seconds) { return flops(*size) / seconds * 1e-9; };
    return EstimatedPoint{.edge = edge_of(*size),
                          .value = gflops(found.seconds),
                          .low = gflops(found.high),
                          .high = gflops(found.low),
                          .name = name_of_watched(race.workbench)};
}

void draw_estimated_point(const RaceContext& race, const PlotArea& area,
                          const EstimatedPoint& point, float px) {
    const Palette& colors = race.colors();
    const ImVec2 at = area.at(point.edge, point.value);
    const float top = area.at(point.edge, point.high).y, half = race.look.px(9);
    const Rect band{at.x - half, top, 2 * half, area.at(point.edge, point.low).y - top};
    register_widget("race.estimate", band);
    fill_rect(band, colors.accent_tint, race.look.px(3));
    dashed_rect(band, colors.accent, race.look.line(), race.look.px(4));
    draw_marker(Marker::kDiamondOpen, at, race.look.px(14), colors.accent, colors.panel);
    const std::string whole = point.name + ": about " + two_digits(point.value) + ", estimated";
    const float room = area.rect.w - race.look.pad();
    const std::string words =
        longest_that_fits({whole, "about " + two_digits(point.value) + ", estimated", "estimated"},
                          room, {Face::kSemiBold, px});
    const float width = text_width(words, Face::kSemiBold, px), gap = race.look.gap();
    const bool right = at.x + half + gap + width <= area.rect.right();
    const float x =
        right ? at.x + half + gap : std::max(area.rect.x + gap, at.x - half - gap - width);
    const Rect ground{x - race.look.tight(), at.y - 0.8f * px, width + race.look.gap(), 1.6f * px};
    fill_rect(ground, colors.panel, race.look.px(3));
    draw_text({x, at.y}, words, {Face::kSemiBold, px, colors.ink});
}

}  // namespace tilereel
