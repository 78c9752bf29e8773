// How contenders look and are called.
#include <algorithm>
#include <array>

#include "app/panels/race_views.h"

namespace tilereel {
namespace {

// The diamonds are the run's that is looked at and its twin's, the cross is the reference's.
constexpr std::array kMarkers = {Marker::kSquare,       Marker::kSquareOpen, Marker::kCircleOpen,
                                 Marker::kTriangleOpen, Marker::kCircle,     Marker::kPlus,
                                 Marker::kTriangle};
constexpr std::array kDashes = {Dash::kSolid, Dash::kDashed, Dash::kDotted, Dash::kDashDot};

}  // namespace

bool RaceContext::hidden(std::uint32_t contender) const {
    const std::vector<bool>& all = bench.view().hidden;
    return contender < all.size() && all[contender];
}

void RaceContext::replay(const Contender& contender) const {
    if (find_kernel(contender.kernel) == nullptr) return;
    commands.push_back(WatchKernel{contender.kernel, parameters_to_watch(contender)});
}

RaceContext race_context(const Look& look, const Workbench& workbench, Commands& commands) {
    const RaceBench& bench = workbench.races();
    RaceContext race{look, workbench, bench, commands, bench.shown(), {}, {}, {}, {}};
    if (race.shown == nullptr) return race;
    const RaceRequest& request = race.shown->race.request;
    race.focus = bench.focus();
    race.size = bench.size();
    if (race.focus && request.contenders[*race.focus].pad > 0)
        race.twin = twin_of(request, *race.focus);
    race.styles = race_styles(look, request, race.focus, race.twin);
    return race;
}

std::vector<LineStyle> race_styles(const Look& look, const RaceRequest& request,
                                   std::optional<std::uint32_t> focus,
                                   std::optional<std::uint32_t> twin) {
    const Palette& colors = look.colors();
    std::vector<LineStyle> styles;
    std::size_t others = 0;
    for (std::uint32_t c = 0; c < request.contenders.size(); ++c) {
        LineStyle style;
        if (is_reference(request.contenders[c])) {
            style = {colors.ink, Marker::kCross, Dash::kDashed, look.px(2.5f)};
        } else {
            const std::size_t round = others / kMarkers.size();
            style = {(others / 2 + round) % 2 == 0 ? colors.ink2 : colors.ink3,
                     kMarkers[others % kMarkers.size()], kDashes[(others + round) % kDashes.size()],
                     look.px(2)};
            ++others;
        }
        if (c == focus) {
            style.color = colors.accent;
            style.width = look.px(4.5f);
            if (!is_reference(request.contenders[c])) {
                style.marker = Marker::kDiamond;
                style.dash = Dash::kSolid;
            }
        } else if (c == twin) {
            style = {colors.conflict, Marker::kDiamondOpen, Dash::kSolid, look.px(2.5f)};
        }
        styles.push_back(style);
    }
    return styles;
}

std::string short_name(const Contender& contender) {
    std::string name = title_of(contender);
    if (!has_parameters(contender)) return name;
    name += " " + std::to_string(contender.tile);
    if (contender.pad != 0) name += " pad " + std::to_string(contender.pad);
    return name;
}

std::string_view outcome_word(const RaceEntry& entry) {
    if (!entry.outcome) return {};
    switch (*entry.outcome) {
        case Outcome::kWrong:
            return "wrong";
        case Outcome::kFailed:
            return "failed";
        case Outcome::kSkipped:
            return "skipped";
        case Outcome::kVerified:
            break;
    }
    return {};
}

float draw_race_title(const RaceContext& race, const Rect& card, std::string_view title,
                      std::string_view caption, float right) {
    const Look& look = race.look;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float px = race.type(20), pad = look.px(24);
    const float row = row_px(look, 40);
    const float middle = card.y + look.px(8) + row / 2;
    const float end = card.right() - look.px(16) - right;
    float x = card.x + pad;
    x += draw_text_fit(list, {x, middle}, std::max(0.0f, end - x), title,
                       {Face::kSemiBold, px, race.colors().ink});
    x += look.px(14);
    const float small = race.type(14);
    if (end - x > 4 * small)
        draw_text_fit(list, {x, middle + 0.12f * px}, end - x, caption,
                      {Face::kRegular, small, race.colors().ink3});
    return card.y + look.px(8) + row;
}

}  // namespace tilereel
