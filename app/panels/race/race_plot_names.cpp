#include <algorithm>

#include "app/panels/race/race_plot_parts.h"

namespace tilereel {

LineNames::LineNames(const RaceContext& race, const std::vector<Level>& levels,
                     const std::vector<PlottedPoint>& points, const Rect& room)
    : race_(race),
      table_(race.look, {race.type(14), 1.35f, 1.6f},
             {{"", Align::kLeft, 2 * race.type(14)}, {"", Align::kRight, 0, true}}) {
    std::vector<std::uint32_t> strong;
    for (std::uint32_t c = 0; c < race.contenders().size(); ++c)
        if (race.strong(c)) strong.push_back(c);
    const bool by_number = widest(strong, Face::kSemiBold, race.type(14), [&](std::uint32_t c) {
                               return short_name(race.contenders()[c]);
                           }) > 0.3f * room.w;
    for (const std::uint32_t c : strong) {
        const Contender& contender = race.contenders()[c];
        names_.push_back({c, race.styles[c],
                          by_number ? number_name(contender) : short_name(contender),
                          last_value(points, c)});
    }
    for (const Level& level : levels)
        names_.push_back({{}, level.style(race.look), level.words, level.value});
    std::ranges::stable_sort(names_, std::ranges::greater{}, &Name::value);
    for (const Name& name : names_) table_.add(cells_of(name));
}

// The value at the end of the contender's line, or of its first point if it has no line; -1 if it
// has no point.
double LineNames::last_value(const std::vector<PlottedPoint>& points, std::uint32_t c) {
    double value = -1;
    for (const PlottedPoint& point : points)
        if (point.contender == c && (point.joined || value < 0)) value = point.value;
    return value;
}

std::vector<TableCell> LineNames::cells_of(const Name& name) const {
    const Palette& colors = race_.colors();
    const bool focus = name.contender && name.contender == race_.focus;
    TableCell value{value_text(race_, name.value), Face::kMonoBold, name.style.color};
    if (name.value < 0) {
        value = {"", Face::kRegular, colors.ink3};
        for (const RaceEntry& entry : race_.shown->figures.entries[*name.contender])
            if (const auto word = outcome_word(entry); !word.empty()) value.text = word;
    }
    return {
        {name.words, focus ? Face::kSemiBold : Face::kRegular, focus ? colors.ink : colors.ink2},
        value};
}

void LineNames::draw_name(const Name& name, const Rect& area) const {
    const Look& look = race_.look;
    const float px = race_.type(14);
    const ImVec2 at{area.x + 1.4f * px, area.center().y};
    if (!name.contender) {
        draw_dashed(std::array{ImVec2{at.x - 0.7f * px, at.y}, ImVec2{at.x + 0.7f * px, at.y}},
                    name.style.color, name.style.width, name.style.dash);
        return;
    }
    const bool only = race_.bench.view().lines.only() == name.contender;
    const Interaction touch = interact(look, "race.line." + std::to_string(*name.contender), area,
                                       only ? "Show the other lines again" : "Show only this line");
    const auto& now = race_.shown->figures.now;
    const bool runs =
        now && now->doing != RaceNow::Doing::kWarmsUp && now->contender == name.contender;
    if (touch.hovered || runs)
        fill_rect(area, touch.hovered ? race_.colors().raised : race_.colors().accent_tint,
                  look.px(4));
    if (touch.clicked) race_.ask(SoloLine{*name.contender});
    draw_marker(name.style.marker, at, std::min(look.px(13), px), name.style.color,
                race_.colors().panel);
}

void LineNames::draw(const Rect& room) {
    static TableScroll none;  // a picture does not scroll
    table_.draw(room, race_.memory != nullptr ? race_.memory->names : none,
                {.row = [&](std::size_t row, const Rect& area) { draw_name(names_[row], area); }});
}

}  // namespace tilereel
