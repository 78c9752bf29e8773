// The text of the roofline plot: at the roofs, at the points, and the note below the plot.
#include <algorithm>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/race/race_roofline.h"

namespace tilereel {

const char* Roofline::unit_text() const {
    return recorded() ? "FLOP per byte moved, recorded small and scaled to N"
                      : "FLOP per byte, as counted: 2 FLOP / 8 B loaded, \xc3\x97 TILE";
}

void Roofline::write(const std::string& name, const std::string& words, const TextStyle& style,
                     std::span<const ImVec2> middles, Align align) {
    const float width = text_width(words, style.face, style.px);
    std::vector<Rect> places;
    for (const ImVec2 at : middles)
        places.push_back({align == Align::kRight ? at.x - width : at.x, at.y - 0.625f * px_, width,
                          1.25f * px_});
    const auto place = placer_.place(places);
    if (!place) return;  // the tooltips of lines and points have the same text
    register_widget("race.roof.word." + name, *place);
    draw_text({place->x, place->center().y}, words, style);
}

void Roofline::draw_roof_words() {
    const TextStyle style{Face::kRegular, px_, race_.colors().ink2};
    for (const Roof* one : {&promised_, &measured_}) {
        if (!one->known()) continue;
        const bool sheet = one == &promised_;
        const std::string how = sheet ? " by datasheet" : " measured";
        const std::string unit = area_.rect.w > 45 * px_ ? " GFLOPS" : "";  // else in the title
        write(sheet ? "sheet.peak" : "measured.peak", figure_text(one->peak_gflops) + unit + how,
              style, beside_level(*one), Align::kRight);
        write(sheet ? "sheet.bandwidth" : "measured.bandwidth",
              figure_text(one->bandwidth_gbs) + " GB/s" + how, style, beside_slope(*one),
              Align::kRight);
    }
    if (roof().known()) {
        const float x = area_.at(roof().ridge(), 1).x + look_.snug();
        const float bottom = area_.rect.bottom();
        const ImVec2 places[] = {{x, bottom - px_}, {x, bottom - 2.4f * px_}};
        write("ridge", "ridge " + figure_text(roof().ridge()),
              {Face::kRegular, px_, race_.colors().ink3}, places, Align::kLeft);
        return;
    }
    draw_text({area_.rect.center().x, area_.rect.y + 1.5f * px_},
              "no roof: this machine's limits were not measured",
              {Face::kRegular, px_, race_.colors().ink3, Align::kCenter});
}

std::vector<ImVec2> Roofline::beside_level(const Roof& one) const {
    const float y = area_.at(one.ridge(), one.peak_gflops).y;
    std::vector<ImVec2> places;
    for (int row = 0; row < 6; ++row)
        for (const float side : {-1.0f, 1.0f})
            places.push_back({area_.rect.right() - look_.tight(),
                              y + side * (0.9f + 1.3f * static_cast<float>(row)) * px_});
    return places;
}

std::vector<ImVec2> Roofline::beside_slope(const Roof& one) const {
    std::vector<ImVec2> places;
    for (const float out : {0.8f, 2.5f, 5.0f})
        for (const double share : {0.6, 0.7, 0.5, 0.8, 0.4, 0.9}) {
            const double intensity =
                area_.x.value_at(share * std::min(1.0, area_.x.share(one.ridge())));
            const ImVec2 at = area_.at(intensity, one.at(intensity));
            places.push_back({at.x - out * px_, at.y - 0.7f * px_});
        }
    return places;
}

void Roofline::draw_reference_words() {
    const auto gflops = reference_gflops();
    if (!gflops) return;
    const float y = area_.at(area_.x.low, *gflops).y;
    std::vector<ImVec2> places;
    for (int row = 0; row < 6; ++row)
        for (const float x : {area_.rect.right() - look_.tight(),
                              area_.rect.x + 0.5f * area_.rect.w, area_.rect.x + 16 * px_})
            for (const float side : {1.0f, -1.0f})
                places.push_back({x, y + side * (0.9f + 1.3f * static_cast<float>(row)) * px_});
    write(
        "reference",
        title_of(race_.contenders()[*race_.shown->figures.reference]) + " " + figure_text(*gflops),
        {Face::kRegular, px_, race_.colors().ink2}, places, Align::kRight);
}

void Roofline::draw_point_words() {
    std::vector<const RooflinePoint*> order;
    for (const RooflinePoint& point : points_)
        if (race_.strong(point.contender)) order.push_back(&point);
    const auto rank = [&](const RooflinePoint* point) {
        return std::pair(point->contender == race_.focus         ? 0
                         : point->contender == race_.counterpart ? 1
                                                                 : 2,
                         point->at.y);
    };
    std::ranges::stable_sort(order, {}, rank);
    for (const RooflinePoint* point : order) name_point(*point);
}

std::string Roofline::label_of(const Contender& contender) const {
    std::string name = short_name(contender);
    const bool numbered = name.size() > 2 && name[0] >= '0' && name[0] <= '9' && name[2] == ' ';
    if (!numbered || area_.rect.w > 60 * px_) return name;
    return name.substr(0, 2) + name.substr(title_of(contender).size());
}

void Roofline::name_point(const RooflinePoint& point) {
    const LineStyle& style = race_.styles[point.contender];
    const bool looked_at = point.contender == race_.focus || point.contender == race_.counterpart;
    const Face face = looked_at ? Face::kSemiBold : Face::kRegular;
    const std::string name = label_of(race_.contenders()[point.contender]);
    const ImVec2 size{text_width(name, face, px_), 1.25f * px_};
    const float gap = look_.wide();
    // If there is no place near its point, the name is left out.
    const auto place = placer_.place_beside(
        point.at, places_beside(point.at, size, gap, std::min(0.35f * area_.rect.h, 6 * px_)));
    if (!place) return;  // the point's tooltip has the name
    register_widget("race.roof.label." + std::to_string(point.contender), *place);
    const ImVec2 end = leader_end(*place, point.at);
    if (std::abs(end.y - point.at.y) > 0.8f * px_ || std::abs(end.x - point.at.x) > 1.5f * gap)
        draw_list()->AddLine(point.at, end, mix(race_.colors().panel, style.color, 0.6f),
                             look_.px(1));
    draw_text({place->x, place->center().y}, name, {face, px_, style.color});
}

std::string Roofline::tile_size_text(const Contender& contender) {
    const auto counted = small_launch(contender);
    if (!chooses_tiles(contender) || !counted) return "At TILE " + std::to_string(contender.tile);
    const KernelParameters& block = counted->parameters;
    return "With tiles of " + std::to_string(block.m) + " x " + std::to_string(block.n);
}

std::string Roofline::note() const {
    const RooflinePoint* point = focus();
    if (!roof().known()) return {};
    const std::string waiting = waiting_text();
    if (!waiting.empty()) return waiting;
    if (point == nullptr) return above_text();
    const Contender& contender = race_.contenders()[point->contender];
    const double allowed = roof().at(point->intensity);
    const bool memory = point->intensity < roof().ridge();
    std::string words = tile_size_text(contender) + (memory ? " memory" : " arithmetic") +
                        " would allow " + figure_text(allowed) + " GFLOPS. " +
                        short_name(contender) + " reaches " +
                        figure_text(100 * point->gflops / allowed) + " % of that";
    for (const RooflinePoint& other : points_)
        if (other.contender == race_.counterpart)
            words += ", PAD 0 " + figure_text(100 * other.gflops / allowed) + " %";
    words += ".";
    if (const std::string above = above_text(); !above.empty()) words += " " + above;
    return words + (measured_.known() ? " Roof as measured on it by a copy and an FMA loop."
                                      : " Roof by datasheet.");
}

std::string Roofline::waiting_text() const {
    std::size_t all = 0, recorded = 0;
    for (const Contender& contender : race_.contenders()) {
        if (!small_launch(contender)) continue;
        ++all;
        recorded += race_.bench.counts(contender) != nullptr;
    }
    if (recorded == all || !race_.bench.busy()) return {};
    return "Recording small launches to count the bytes moved: " + std::to_string(recorded) +
           " of " + std::to_string(all) + " done.";
}

std::string Roofline::above_text() const {
    const bool above = std::ranges::any_of(points_, [&](const RooflinePoint& point) {
        return point.gflops > roof().at(point.intensity);
    });
    return above ? "Above the roof: caches serve what is read again." : "";
}

void Roofline::draw_note() const {
    if (note_lines_ == 0) return;
    draw_paragraph({room_.x + look_.tight(), area_.rect.bottom() + 3.6f * px_},
                   room_.w - look_.gap(), note(), {Face::kRegular, px_, race_.colors().ink2});
}

}  // namespace tilereel
