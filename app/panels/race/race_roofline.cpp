// Each contender's GFLOPS at its arithmetic intensity, below the roofs of bandwidth and peak.
#include "app/panels/race/race_roofline.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/workbench/datasheet.h"

namespace tilereel {

Roofline::Roofline(const RaceContext& race, const Rect& room) : race_(race), look_(race.look) {
    px_ = race.type(13);
    const RaceMachine& machine = race.shown->race.machine;
    measured_ = {machine.measured_bandwidth_gbs, machine.measured_peak_gflops};
    if (const Datasheet* sheet = machine.gpu ? datasheet_of(machine.device) : nullptr)
        promised_ = {sheet->bandwidth_gbs, sheet->peak_gflops};
    place();
    lay_out(room);
}

void Roofline::draw() {
    register_widget("race.roofline", room_);
    GridStyle grid = grid_;
    draw_grid(look_, area_, grid);
    draw_text({area_.rect.center().x, area_.rect.bottom() + 2.75f * px_}, unit_text(),
              {Face::kRegular, px_, race_.colors().ink3, Align::kCenter});
    draw_list()->PushClipRect(area_.rect.min(), area_.rect.max(), true);
    if (promised_.known()) draw_roof(promised_, Dash::kDotted, race_.colors().ink3);
    if (measured_.known()) draw_roof(measured_, Dash::kSolid, race_.colors().ink);
    draw_reference();
    draw_allowance();
    draw_list()->PopClipRect();
    const float half = 0.6f * marker_px();
    for (const RooflinePoint& point : points_) {
        const float reach = race_.strong(point.contender) ? half : look_.px(3);
        placer_.keep_free({point.at.x - reach, point.at.y - reach, 2 * reach, 2 * reach});
    }
    draw_point_words();  // placed first, because they must be near their points
    draw_roof_words();
    draw_reference_words();
    for (const bool strong : {false, true})
        for (const RooflinePoint& point : points_)
            if (race_.strong(point.contender) == strong) draw_point(point);
    draw_note();
}

bool Roofline::recorded() const {
    return race_.bench.view().recorded_intensity && race_.shown->race.machine.gpu;
}

bool Roofline::as_counted(std::uint32_t c) const {
    return races_as_counted(race_.contenders()[c], race_.sizes()[*race_.size],
                            race_.shown->race.machine.multiprocessors);
}

std::optional<double> Roofline::intensity_of(std::uint32_t c) const {
    const SizedCounts* counts = race_.bench.counts(race_.contenders()[c]);
    if (counts == nullptr || !as_counted(c)) return std::nullopt;
    return recorded() ? recorded_intensity(*counts, race_.sizes()[*race_.size])
                      : counted_intensity(*counts);
}

void Roofline::place() {
    if (!race_.size) return;
    for (std::uint32_t c = 0; c < race_.contenders().size(); ++c) {
        const auto gflops = race_.shown->figures.median(c, *race_.size);
        const auto intensity = intensity_of(c);
        if (gflops && *gflops > 0 && intensity && !race_.hidden(c))
            points_.push_back({c, *intensity, *gflops, {}});
    }
}

void Roofline::lay_out(const Rect& room) {
    room_ = room;
    double low_x = 0.125, high_x = 64, low_y = 1e300, high_y = 0;
    for (const RooflinePoint& point : points_) {
        low_x = std::min(low_x, point.intensity / 1.5);
        high_x = std::max(high_x, point.intensity * 3);  // leaves room for the point's name
        low_y = std::min(low_y, point.gflops);
        high_y = std::max(high_y, point.gflops);
    }
    for (const Roof& one : {measured_, promised_})
        if (one.known()) {
            high_y = std::max(high_y, one.peak_gflops);
            low_y = std::min(low_y, one.at(0.25));
            high_x = std::max(high_x, 2.5 * one.ridge());
        }
    if (high_y == 0) low_y = 1, high_y = 100;
    area_.x = {AxisScale::kLog2, low_x, high_x};
    area_.y = axis_over(AxisScale::kLog10, low_y / 1.2, high_y * 1.2);
    grid_.px = px_;
    grid_.most_y = std::clamp(static_cast<int>(room.h / (3 * px_)), 2, 6);
    grid_.most_x = std::clamp(static_cast<int>(room.w / (5 * px_)), 3, 9);
    note_lines_ =
        note().empty() ? 0 : wrap_text(note(), room.w - look_.gap(), Face::kRegular, px_).size();
    if (paragraph_height(note_lines_, px_) > 0.3f * room.h) note_lines_ = 0;
    const float below = 3.7f * px_ + paragraph_height(note_lines_, px_);
    area_.rect = {room.x, std::round(room.y + 0.3f * px_), room.w, std::max(40.0f, room.h - below)};
    leave_room_above();
    const float left = y_labels_width(area_.y, grid_);
    area_.rect.x = std::round(room.x + left);
    area_.rect.w = std::max(40.0f, room.w - left - 0.5f * px_);
    for (RooflinePoint& point : points_) point.at = area_.at(point.intensity, point.gflops);
    placer_ = LabelPlacer(area_.rect);
}

void Roofline::leave_room_above() {
    const double highest = std::max(measured_.peak_gflops, promised_.peak_gflops);
    const double most = 1 - 1.7 * px_ / area_.rect.h;
    if (highest <= area_.y.low || most < 0.5 || area_.y.share(highest) <= most) return;
    area_.y.high = area_.y.low * std::pow(highest / area_.y.low, 1 / most);
}

void Roofline::draw_roof(const Roof& one, Dash dash, ImU32 color) {
    const ImVec2 way[3] = {area_.at(area_.x.low, one.at(area_.x.low)),
                           area_.at(one.ridge(), one.peak_gflops),
                           area_.at(area_.x.high, one.peak_gflops)};
    draw_dashed(way, color, look_.px(2.5f), dash);
    placer_.avoid_line(way[0], way[1]);
    placer_.avoid_line(way[1], way[2]);
    if (&one != &roof()) return;
    const ImVec2 down[2] = {way[1], {way[1].x, area_.rect.bottom()}};
    draw_dashed(down, race_.colors().line, look_.px(1.5f), Dash::kDashed);
}

void Roofline::draw_reference() {
    const auto gflops = reference_gflops();
    if (!gflops) return;
    const float y = area_.at(area_.x.low, *gflops).y;
    const ImVec2 way[2] = {{area_.rect.x, y}, {area_.rect.right(), y}};
    draw_dashed(way, race_.colors().ink2, look_.px(1.5f), Dash::kDashed);
    placer_.avoid_line(way[0], way[1]);
}

std::optional<double> Roofline::reference_gflops() const {
    const auto& reference = race_.shown->figures.reference;
    if (!reference || !race_.size || race_.hidden(*reference)) return std::nullopt;
    return race_.shown->figures.median(*reference, *race_.size);
}

const RooflinePoint* Roofline::focus() const {
    for (const RooflinePoint& point : points_)
        if (point.contender == race_.focus) return &point;
    return nullptr;
}

void Roofline::draw_allowance() const {
    const RooflinePoint* point = focus();
    if (point == nullptr || !roof().known()) return;
    const ImVec2 way[2] = {point->at, area_.at(point->intensity, roof().at(point->intensity))};
    draw_dashed(way, race_.colors().accent, look_.px(1.5f), Dash::kDotted);
}

void Roofline::draw_point(const RooflinePoint& point) {
    const LineStyle& style = race_.styles[point.contender];
    const bool strong = race_.strong(point.contender);
    const float size = strong ? marker_px() : look_.snug();
    if (strong)
        draw_marker(style.marker, point.at, size, style.color, race_.colors().panel);
    else
        draw_list()->AddCircleFilled(point.at, size / 2, style.color);
    const std::string name = "race.roof." + std::to_string(point.contender);
    const std::string tip = short_name(race_.contenders()[point.contender]) + ": " +
                            figure_text(point.gflops) + " GFLOPS at " +
                            figure_text(point.intensity) + " FLOP/B. Click: replay it";
    const Touch touch =
        touch_area(look_, name, {point.at.x - size, point.at.y - size, 2 * size, 2 * size}, tip);
    if (touch.clicked) race_.replay(race_.contenders()[point.contender]);
}

void draw_race_roofline(const RaceContext& race, const Rect& card) {
    const Look& look = race.look;
    const float px = look.font_px(15);
    constexpr std::array<std::string_view, 2> kHow = {"counted", "recorded"};
    const bool gpu = race.shown->race.machine.gpu;
    const float width = gpu ? text_width("countedrecorded", Face::kRegular, px) + look.px(48) : 0;
    const std::string caption =
        race.size ? size_text(race.sizes()[*race.size]) + ", GFLOPS" : std::string();
    const float top = draw_race_title(race, card, "Roofline", caption, width);
    const float height = std::round(1.9f * px);
    const int chosen =
        gpu ? segmented(
                  look, "race.intensity",
                  {card.right() - look.wide() - width, (card.y + look.gap() + top - height) / 2,
                   width, height},
                  kHow, race.bench.view().recorded_intensity ? 1 : 0,
                  "Bytes that the code asks for, or bytes that a recorded trace says are moved")
            : -1;
    if (chosen >= 0) race.ask(SetIntensity{chosen == 1});
    const float pad = look.pad();
    Roofline(race, {card.x + pad, top + look.tight(), card.w - 2 * pad,
                    card.bottom() - top - look.px(14)})
        .draw();
}

}  // namespace tilereel
