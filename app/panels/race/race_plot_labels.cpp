#include <algorithm>

#include "app/panels/race/race_plot_parts.h"

namespace tilereel {

struct LineLabels::Label {
    std::uint32_t contender = 0;
    ImVec2 from{};  // last point of the line
    bool has_point = false;
    std::string value;
    float width = 0;
};

LineLabels::LineLabels(const RaceContext& race, const Rect& room, float px)
    : race_(race), px_(px), label_px_(px) {
    float count = 0;
    for (std::uint32_t c = 0; c < race_.contenders().size(); ++c) count += race_.strong(c);
    two_lines_ = count * 2.55f * px_ <= room.h && room.w > 45 * px_;
    label_px_ =
        two_lines_ ? px_ : std::clamp(room.h / std::max(1.0f, count) / 1.35f, 0.7f * px_, px_);
    const float values = text_width("00,000", Face::kMonoBold, label_px_);
    const float most = 0.3f * room.w;
    float names = widest_name();
    while (!two_lines_ && names > most && label_px_ > 0.8f * px_) {
        label_px_ -= 0.5f;
        names = widest_name();
    }
    by_number_ = names > most;
    if (by_number_) names = widest_name();
    name_width_ = names;
    width_ = names + values + 3.2f * label_px_;
}

std::string LineLabels::name_of(std::uint32_t contender) const {
    const Contender& one = race_.contenders()[contender];
    if (by_number_) return number_name(one);
    return two_lines_ ? title_of(one) : short_name(one);
}

float LineLabels::widest_name() const {
    float widest = 0;
    for (std::uint32_t c = 0; c < race_.contenders().size(); ++c)
        if (race_.strong(c))
            widest = std::max(widest, text_width(name_of(c), Face::kSemiBold, label_px_));
    return widest;
}

std::vector<LineLabels::Label> LineLabels::labels(const Rect& plot,
                                                  const std::vector<PlottedPoint>& points) const {
    std::vector<Label> labels;
    for (std::uint32_t c = 0; c < race_.contenders().size(); ++c) {
        if (!race_.strong(c)) continue;
        Label label;
        label.contender = c;
        label.from = {plot.right(), plot.bottom()};
        for (const PlottedPoint& point : points)
            if (point.contender == c && (point.joined || !label.has_point)) {
                label.from = point.at;
                label.has_point = true;
                label.value = race_.bench.view().plot == RacePlot::kSpeedUp
                                  ? times_text(point.value)
                                  : figure_text(point.value);
            }
        if (!label.has_point)
            for (const RaceEntry& entry : race_.shown->figures.entries[c])
                if (const auto word = outcome_word(entry); !word.empty()) label.value = word;
        labels.push_back(std::move(label));
    }
    return labels;
}

void LineLabels::draw(const Rect& plot, const std::vector<PlottedPoint>& points) const {
    const std::vector<Label> all = labels(plot, points);
    std::vector<float> wanted, heights;
    for (const Label& label : all) {
        wanted.push_back(std::clamp(label.from.y, plot.y, plot.bottom()));
        heights.push_back((two_lines_ ? 2.5f : 1.35f) * label_px_);
    }
    const std::vector<float> middles =
        spread_labels(wanted, heights, plot.y - px_ / 2, plot.bottom() + 1.6f * px_);
    for (std::size_t i = 0; i < all.size(); ++i) draw_label(plot, all[i], middles[i], heights[i]);
}

void LineLabels::draw_label(const Rect& plot, const Label& label, float middle,
                            float height) const {
    const Look& look = race_.look;
    const Palette& colors = race_.colors();
    const std::uint32_t c = label.contender;
    const LineStyle& style = race_.styles[c];
    const bool only = race_.bench.view().lines.only() == c;
    const float left = plot.right() + look.px(34);
    const Rect box{left, middle - height / 2, width_, height};
    const Touch touch = touch_area(look, "race.line." + std::to_string(c), box,
                                   only ? "Show the other lines again" : "Show only this line");
    if (touch.hovered) fill_rect(box, colors.raised, look.px(4));
    if (touch.clicked) race_.ask(SoloLine{c});
    if (label.has_point) draw_leader(plot, label.from, {left - look.tight(), middle}, style.color);
    draw_marker(style.marker, {left + 0.7f * label_px_, middle}, std::min(look.px(13), label_px_),
                style.color, colors.panel);
    const float x = left + 1.7f * label_px_;
    const bool focus = c == race_.focus;
    const Face face = focus ? Face::kSemiBold : Face::kRegular;
    const ImU32 ink = focus ? colors.ink : colors.ink2;
    const std::string detail = parameters_text(race_.shown->race.request, c);
    const bool two = two_lines_ && !by_number_ && !detail.empty();
    draw_text_fit({x, two ? middle - 0.6f * label_px_ : middle}, name_width_ + 2, name_of(c),
                  {face, label_px_, ink});
    if (two)
        draw_text_fit({x, middle + 0.62f * label_px_}, name_width_, detail,
                      {Face::kRegular, 0.86f * label_px_, colors.ink3});
    draw_text({box.right(), middle}, label.value,
              {label.has_point ? Face::kMonoBold : Face::kRegular, label_px_, style.color,
               Align::kRight});
}

void LineLabels::draw_leader(const Rect& plot, ImVec2 from, ImVec2 to, ImU32 color) const {
    const Look& look = race_.look;
    const ImU32 faint = mix(race_.colors().panel, color, 0.55f);
    const float bend = plot.right() + look.snug();
    const float start = from.x + look.px(9);
    const ImVec2 way[3] = {{start, from.y}, {std::max(bend, start), to.y}, to};
    draw_list()->AddPolyline(way, 3, faint, 0, look.px(1));
}

}  // namespace tilereel
