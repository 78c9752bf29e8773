#include <algorithm>

#include "app/panels/race/race_plot_parts.h"

namespace tilereel {

// The name and last value of a line, or of a level.
struct LineLabels::Label {
    std::optional<std::uint32_t> contender;  // nullopt: a level
    LineStyle style;
    ImVec2 from{};  // last point of the line
    bool has_point = false;
    std::string name, value;
};

LineLabels::LineLabels(const RaceContext& race, const std::vector<Level>& levels, const Rect& room,
                       float px)
    : race_(race), levels_(levels) {
    auto count = static_cast<float>(levels.size());
    for (std::uint32_t c = 0; c < race_.contenders().size(); ++c) count += race_.strong(c);
    px_ = std::clamp(room.h / std::max(1.0f, count) / kLine, 0.7f * px, px);
    by_number_ = widest_name() > 0.3f * room.w;
    width_ = widest_name() + text_width("00,000", Face::kMonoBold, px_) + 3.2f * px_;
}

std::string LineLabels::name_of(std::uint32_t contender) const {
    const Contender& one = race_.contenders()[contender];
    return by_number_ ? number_name(one) : short_name(one);
}

float LineLabels::widest_name() const {
    float width = widest(levels_, Face::kRegular, px_, &Level::words);
    for (std::uint32_t c = 0; c < race_.contenders().size(); ++c)
        if (race_.strong(c)) width = std::max(width, text_width(name_of(c), Face::kSemiBold, px_));
    return width;
}

LineLabels::Label LineLabels::label_of(std::uint32_t c, const Rect& plot,
                                       const std::vector<PlottedPoint>& points) const {
    Label label{.contender = c,
                .style = race_.styles[c],
                .from = {plot.right(), plot.bottom()},
                .name = name_of(c),
                .value = {}};
    for (const PlottedPoint& point : points)
        if (point.contender == c && (point.joined || !label.has_point)) {
            label.from = point.at;
            label.has_point = true;
            label.value = value_text(race_, point.value);
        }
    if (!label.has_point)
        for (const RaceEntry& entry : race_.shown->figures.entries[c])
            if (const auto word = outcome_word(entry); !word.empty()) label.value = word;
    return label;
}

void LineLabels::draw(const PlotArea& area, const std::vector<PlottedPoint>& points) const {
    const Rect& plot = area.rect;
    std::vector<Label> all;
    for (std::uint32_t c = 0; c < race_.contenders().size(); ++c)
        if (race_.strong(c)) all.push_back(label_of(c, plot, points));
    for (const Level& level : levels_)
        if (const double share = area.y.share(level.value); share >= 0 && share <= 1)
            all.push_back({.contender = {},
                           .style = level.style(race_.look),
                           .from = {plot.right(), area.at(area.x.low, level.value).y},
                           .has_point = true,
                           .name = level.words,
                           .value = value_text(race_, level.value)});
    std::vector<float> wanted;
    for (const Label& label : all)
        wanted.push_back(std::clamp(label.from.y, plot.y, plot.bottom()));
    const std::vector<float> heights(all.size(), kLine * px_);
    const std::vector<float> middles =
        spread_labels(wanted, heights, plot.y - px_ / 2, plot.bottom() + 1.6f * px_);
    for (std::size_t i = 0; i < all.size(); ++i) draw_label(plot, all[i], middles[i]);
}

void LineLabels::draw_label(const Rect& plot, const Label& label, float middle) const {
    const Look& look = race_.look;
    const Palette& colors = race_.colors();
    const float left = plot.right() + look.px(34), height = kLine * px_;
    const Rect box{left, middle - height / 2, width_, height};
    const bool focus = label.contender && label.contender == race_.focus;
    if (label.contender) {
        const bool only = race_.bench.view().lines.only() == label.contender;
        const Touch touch = touch_area(look, "race.line." + std::to_string(*label.contender), box,
                                       only ? "Show the other lines again" : "Show only this line");
        if (touch.hovered) fill_rect(box, colors.raised, look.px(4));
        if (touch.clicked) race_.ask(SoloLine{*label.contender});
        draw_marker(label.style.marker, {left + 0.7f * px_, middle}, std::min(look.px(13), px_),
                    label.style.color, colors.panel);
    } else {
        draw_dashed(std::array{ImVec2{left, middle}, ImVec2{left + 1.4f * px_, middle}},
                    label.style.color, label.style.width, label.style.dash);
    }
    if (label.has_point) {
        const float bend = plot.right() + look.snug(), start = label.from.x + look.px(9);
        const ImVec2 way[3] = {{start, label.from.y},
                               {std::max(bend, start), label.from.y},
                               {left - look.tight(), middle}};
        draw_list()->AddPolyline(way, 3, mix(colors.panel, label.style.color, 0.55f), 0,
                                 look.line());
    }
    draw_text({left + 1.7f * px_, middle}, label.name,
              {focus ? Face::kSemiBold : Face::kRegular, px_, focus ? colors.ink : colors.ink2});
    draw_text({box.right(), middle}, label.value,
              {label.has_point ? Face::kMonoBold : Face::kRegular, px_, label.style.color,
               Align::kRight});
}

}  // namespace tilereel
