// The line styles and the names of contenders.
#include <array>

#include "app/panels/race/race_views.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

// The diamonds are reserved for the focused contender and its counterpart, the cross for the
// reference.
constexpr std::array kMarkers = {Marker::kSquare,      Marker::kCircle,     Marker::kTriangle,
                                 Marker::kPlus,        Marker::kSquareOpen, Marker::kCircleOpen,
                                 Marker::kTriangleOpen};
constexpr std::array kDashes = {Dash::kSolid, Dash::kDashed, Dash::kDotted, Dash::kDashDot};
// The hues differ from each other and from accent and conflict. Lines also differ in marker and
// name.
constexpr std::array kDarkHues = {rgb(0x4590FC), rgb(0xE9933F), rgb(0x60E6BD), rgb(0xFFEC2E),
                                  rgb(0x9DC34F), rgb(0xC99E7C), rgb(0x7FD6F2)};
constexpr std::array kLightHues = {rgb(0x0066CC), rgb(0xC05200), rgb(0x00806F), rgb(0x7A5A00),
                                   rgb(0x4A7A10), rgb(0x804A2C), rgb(0x007494)};

LineStyle style_of_slot(const Look& look, std::size_t slot) {
    const auto& hues = look.theme == Theme::kDark ? kDarkHues : kLightHues;
    const std::size_t round = slot / hues.size();
    return {hues[slot % hues.size()], kMarkers[(slot + round) % kMarkers.size()],
            kDashes[round % kDashes.size()], look.px(2.5f)};
}

}  // namespace

LineShown RaceContext::line(std::uint32_t contender) const {
    const RaceLines& lines = bench.view().lines;
    const LineShown shown_as = lines.shown(contender);
    if (shown_as != LineShown::kThin || lines.only()) return shown_as;
    const bool looked_at = contender == focus || contender == counterpart;
    const bool asked_for = !lines.chosen() || bench.view().contender == focus;
    return looked_at && asked_for ? LineShown::kStrong : shown_as;
}

void RaceContext::replay(const Contender& contender) const {
    if (find_kernel(contender.kernel) == nullptr) return;
    commands.push_back(WatchKernel{contender.kernel, parameters_to_watch(contender)});
}

RaceContext race_context(const Look& look, const Workbench& workbench, Commands& commands) {
    const RaceBench& bench = workbench.races();
    RaceContext race{look, workbench, bench, commands, bench.shown(), {}, {}, {}, {}, nullptr};
    if (race.shown == nullptr) return race;
    const RaceRequest& request = race.shown->race.request;
    race.focus = bench.focus();
    race.size = bench.size();
    if (race.focus && request.contenders[*race.focus].pad > 0)
        race.counterpart = counterpart_of(request, *race.focus);
    race.styles = race_styles(race);
    return race;
}

std::vector<LineStyle> race_styles(const RaceContext& race) {
    const Look& look = race.look;
    const Palette& colors = look.colors();
    std::vector<LineStyle> styles;
    for (std::uint32_t c = 0; c < race.contenders().size(); ++c) {
        const bool reference = is_reference(race.contenders()[c]);
        LineStyle style{mix(colors.panel, colors.ink3, 0.6f), Marker::kCircle, Dash::kSolid,
                        look.px(1.25f)};
        if (race.strong(c)) {
            style = reference ? LineStyle{colors.ink, Marker::kCross, Dash::kDashed, look.px(2.5f)}
                              : style_of_slot(look, race.bench.view().lines.slot(c).value_or(0));
            if (c == race.focus) {
                style.color = colors.accent;
                style.width = look.px(4.5f);
                if (!reference) {
                    style.marker = Marker::kDiamond;
                    style.dash = Dash::kSolid;
                }
            } else if (c == race.counterpart) {
                style = {colors.conflict, Marker::kDiamondOpen, Dash::kSolid, look.px(2.5f)};
            }
        }
        styles.push_back(style);
    }
    return styles;
}

std::string size_words(const ProductSize& size) {
    if (is_square(size)) return with_commas(size.n);
    return with_commas(size.m) + " x " + with_commas(size.n) + " x " + with_commas(size.k);
}

std::string short_name(const Contender& contender) {
    std::string name = title_of(contender);
    if (!has_parameters(contender)) return name;
    name += " " + std::to_string(contender.tile);
    if (contender.pad != 0) name += " pad " + std::to_string(contender.pad);
    return name;
}

std::string number_name(const Contender& contender) {
    const std::string name = short_name(contender), title = title_of(contender);
    const std::size_t space = title.find(' ');
    if (!has_parameters(contender) || space == std::string::npos) return name;
    return title.substr(0, space) + "," + name.substr(title.size());
}

std::string now_words(const RaceContext& race) {
    const auto& now = race.shown->figures.now;
    if (!now) return {};
    if (now->doing == RaceNow::Doing::kWarmsUp) return "warming up";
    const std::string name = short_name(race.contenders()[now->contender]);
    if (now->doing == RaceNow::Doing::kChecks)
        return (race.of_products() ? "checking C of " : "checking ") + name;
    return name + ", " + std::to_string(now->repeat + 1) + " of " +
           std::to_string(race.shown->race.request.repeats);
}

std::string_view outcome_word(const RaceEntry& entry) {
    static constexpr std::array<std::string_view, 5> kWords = {"", "wrong", "failed", "skipped",
                                                               ""};
    return entry.outcome ? kWords[static_cast<std::size_t>(*entry.outcome)] : "";
}

}  // namespace tilereel
