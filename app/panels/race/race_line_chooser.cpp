// The list of a race's lines. Each line is strong, thin or hidden, or the only strong one.
#include <array>

#include "app/panels/race/race_views.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/menu.h"

namespace tilereel {
namespace {

struct ChoiceButton {
    const char *name, *tip;
    LineChoice choice;
    char32_t key;
};
constexpr std::array<ChoiceButton, 3> kLineChoices = {{
    {"top", "The reference and the largest steps of the ladder (T)", LineChoice::kDefault, U't'},
    {"all", "Every line in a colour of its own (A)", LineChoice::kAll, U'a'},
    {"none", "Every line thin (N)", LineChoice::kNone, U'n'},
}};
constexpr std::size_t kHeads = 1;  // rows above those of the lines

std::string chooser_text(const RaceContext& race) {
    std::size_t strong = 0;
    for (std::uint32_t c = 0; c < race.contenders().size(); ++c) strong += race.strong(c);
    return std::to_string(strong) + " of " + std::to_string(race.contenders().size());
}

void draw_sample(const RaceContext& race, std::uint32_t c, const Rect& place) {
    if (race.hidden(c)) return;
    const LineStyle& style = race.styles[c];
    const ImVec2 middle = place.center();
    draw_dashed(std::array{ImVec2{place.x, middle.y}, ImVec2{place.right(), middle.y}}, style.color,
                style.width, style.dash);
    if (race.strong(c))
        draw_marker(style.marker, middle, 0.42f * place.w, style.color, race.colors().panel);
}

MenuRow row_of(const RaceContext& race, std::uint32_t c) {
    const bool only = race.bench.view().lines.only() == c, hidden = race.hidden(c);
    const auto median = race.size ? race.shown->figures.median(c, *race.size) : std::nullopt;
    return {
        .name = "row." + std::to_string(c),
        .title = short_name(race.contenders()[c]),
        .actions = {{"only", "only",
                     only ? "Show the other lines again (Enter)" : "Show only this line (Enter)",
                     only},
                    {"hide", hidden ? "show" : "hide", "Show or hide this line (H)", hidden}},
        .value = median ? figure_text(*median) : "",
        .faint = hidden,
        .sample = [&race, c](const Rect& place) { draw_sample(race, c, place); }};
}

void take(const RaceContext& race, const MenuChoice& chosen) {
    for (const ChoiceButton& button : kLineChoices)
        if (chosen.key == button.key) return race.ask(ChooseLines{button.choice});
    if (chosen.row < static_cast<int>(kHeads))
        return race.ask(ChooseLines{kLineChoices[static_cast<std::size_t>(chosen.action)].choice});
    const auto c = static_cast<std::uint32_t>(chosen.row) - static_cast<std::uint32_t>(kHeads);
    if (chosen.action == 0 || chosen.key == U'\n')
        race.ask(SoloLine{c});
    else if (chosen.action == 1 || chosen.key == U'h')
        race.ask(ToggleLine{c});
    else
        race.ask(HighlightLine{c});
}

}  // namespace

float line_chooser_width(const RaceContext& race) {
    if (race.memory == nullptr || race.shown == nullptr) return 0;
    return value_chip_width(race.look, "lines", chooser_text(race));
}

void draw_line_chooser(const RaceContext& race, const Rect& chip) {
    if (race.memory == nullptr ||
        !menu_is_open(race.look, "race.lines", chip, "lines", chooser_text(race),
                      "Which lines have a colour and a name, are thin, or hidden (L)"))
        return;
    MenuRow head{.title = race.size ? size_text(race.sizes()[*race.size]) : "", .heading = true};
    for (const ChoiceButton& button : kLineChoices)
        head.actions.push_back({button.name, button.name, button.tip});
    std::vector<MenuRow> rows = {std::move(head)};
    for (std::uint32_t c = 0; c < race.contenders().size(); ++c) rows.push_back(row_of(race, c));
    rows.push_back({.name = "keys",
                    .title = "Space: colour or thin   Enter: it alone   H: hide",
                    .heading = true});
    const MenuChoice chosen = draw_open_menu(race.look, "race.lines", chip, rows, {U" htan", true});
    if (chosen.row >= 0) take(race, chosen);
}

}  // namespace tilereel
