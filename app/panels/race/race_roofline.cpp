// Each contender's GFLOPS at its arithmetic intensity, under the roofs of memory and arithmetic.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/race/race_views.h"
#include "app/ui/plot_labels.h"
#include "app/workbench/datasheet.h"

namespace tilereel {
namespace {

struct Roof {
    double bandwidth_gbs = 0, peak_gflops = 0;
    [[nodiscard]] bool known() const { return bandwidth_gbs > 0 && peak_gflops > 0; }
    [[nodiscard]] double ridge() const { return peak_gflops / bandwidth_gbs; }
    [[nodiscard]] double at(double intensity) const {
        return std::min(peak_gflops, intensity * bandwidth_gbs);
    }
};

struct Placed {
    std::uint32_t contender = 0;
    double intensity = 0, gflops = 0;
    ImVec2 at{};
};

class Roofline {
  public:
    Roofline(const RaceContext& race, const Rect& room) : race_(race), look_(race.look) {
        px_ = race.type(13);
        const RaceMachine& machine = race.shown->race.machine;
        measured_ = {machine.measured_bandwidth_gbs, machine.measured_peak_gflops};
        if (const Datasheet* sheet = machine.gpu ? datasheet_of(machine.device) : nullptr)
            promised_ = {sheet->bandwidth_gbs, sheet->peak_gflops};
        place();
        lay_out(room);
    }

    void draw() {
        ImDrawList* list = ImGui::GetWindowDrawList();
        register_widget("race.roofline", room_);
        GridStyle grid = grid_;
        draw_grid(look_, list, area_, grid);
        draw_text(list, {area_.rect.center().x, area_.rect.bottom() + 2.75f * px_}, unit_words(),
                  {Face::kRegular, px_, race_.colors().ink3, Align::kCenter});
        list->PushClipRect(area_.rect.min(), area_.rect.max(), true);
        if (promised_.known()) draw_roof(list, promised_, Dash::kDotted, race_.colors().ink3);
        if (measured_.known()) draw_roof(list, measured_, Dash::kSolid, race_.colors().ink);
        draw_reference(list);
        draw_allowance(list);
        list->PopClipRect();
        const float half = 0.6f * marker_px();
        for (const Placed& point : points_) {
            const float reach = race_.strong(point.contender) ? half : look_.px(3);
            placer_.keep_free({point.at.x - reach, point.at.y - reach, 2 * reach, 2 * reach});
        }
        draw_point_words(list);  // first: they have to be near their points
        draw_roof_words(list);
        draw_reference_words(list);
        for (const bool strong : {false, true})
            for (const Placed& point : points_)
                if (race_.strong(point.contender) == strong) draw_point(list, point);
        draw_note(list);
    }

  private:
    // Whether the intensity is the recorded one. A CPU has none: its caches' traffic is not
    // recorded.
    [[nodiscard]] bool recorded() const {
        return race_.bench.view().recorded_intensity && race_.shown->race.machine.gpu;
    }
    [[nodiscard]] float marker_px() const { return look_.px(14); }
    [[nodiscard]] const Roof& roof() const { return measured_.known() ? measured_ : promised_; }
    [[nodiscard]] const char* unit_words() const {
        return recorded() ? "FLOP per byte moved, recorded small and scaled to N"
                          : "FLOP per byte, as counted: 2 FLOP / 8 B loaded, \xc3\x97 TILE";
    }

    [[nodiscard]] bool as_counted(std::uint32_t c) const {
        return races_as_counted(race_.contenders()[c], race_.sizes()[*race_.size],
                                race_.shown->race.machine.multiprocessors);
    }

    std::optional<double> intensity_of(std::uint32_t c) const {
        const SizedCounts* counts = race_.bench.counts(race_.contenders()[c]);
        if (counts == nullptr || !as_counted(c)) return std::nullopt;
        return recorded() ? recorded_intensity(*counts, race_.sizes()[*race_.size])
                          : counted_intensity(*counts);
    }

    void place() {
        if (!race_.size) return;
        for (std::uint32_t c = 0; c < race_.contenders().size(); ++c) {
            const auto gflops = race_.shown->figures.median(c, *race_.size);
            const auto intensity = intensity_of(c);
            if (gflops && *gflops > 0 && intensity && !race_.hidden(c))
                points_.push_back({c, *intensity, *gflops, {}});
        }
    }

    void lay_out(const Rect& room) {
        room_ = room;
        double low_x = 0.125, high_x = 64, low_y = 1e300, high_y = 0;
        for (const Placed& point : points_) {
            low_x = std::min(low_x, point.intensity / 1.5);
            high_x = std::max(high_x, point.intensity * 3);  // room for its name, too
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
        note_lines_ = note().empty()
                          ? 0
                          : wrap_text(note(), room.w - look_.px(8), Face::kRegular, px_).size();
        if (paragraph_height(note_lines_, px_) > 0.3f * room.h) note_lines_ = 0;
        const float below = 3.7f * px_ + paragraph_height(note_lines_, px_);
        area_.rect = {room.x, std::round(room.y + 0.3f * px_), room.w,
                      std::max(40.0f, room.h - below)};
        leave_room_above();
        const float left = y_labels_width(area_.y, grid_);
        area_.rect.x = std::round(room.x + left);
        area_.rect.w = std::max(40.0f, room.w - left - 0.5f * px_);
        for (Placed& point : points_) point.at = area_.at(point.intensity, point.gflops);
        placer_ = LabelPlacer(area_.rect);
    }

    // Raises the top of the y axis: the words of the highest roof need room above it.
    void leave_room_above() {
        const double highest = std::max(measured_.peak_gflops, promised_.peak_gflops);
        const double most = 1 - 1.7 * px_ / area_.rect.h;
        if (highest <= area_.y.low || most < 0.5 || area_.y.share(highest) <= most) return;
        area_.y.high = area_.y.low * std::pow(highest / area_.y.low, 1 / most);
    }

    void draw_roof(ImDrawList* list, const Roof& one, Dash dash, ImU32 color) {
        const ImVec2 way[3] = {area_.at(area_.x.low, one.at(area_.x.low)),
                               area_.at(one.ridge(), one.peak_gflops),
                               area_.at(area_.x.high, one.peak_gflops)};
        draw_dashed(list, way, color, look_.px(2.5f), dash);
        placer_.avoid_line(way[0], way[1]);
        placer_.avoid_line(way[1], way[2]);
        if (&one != &roof()) return;
        const ImVec2 down[2] = {way[1], {way[1].x, area_.rect.bottom()}};
        draw_dashed(list, down, race_.colors().line, look_.px(1.5f), Dash::kDashed);
    }

    // Writes words at the first of the offered places where they cover nothing.
    void write(ImDrawList* list, const std::string& name, const std::string& words,
               const TextStyle& style, std::span<const ImVec2> middles, Align align) {
        const float width = text_width(words, style.face, style.px);
        std::vector<Rect> places;
        for (const ImVec2 at : middles)
            places.push_back({align == Align::kRight ? at.x - width : at.x, at.y - 0.625f * px_,
                              width, 1.25f * px_});
        const auto place = placer_.place(places);
        if (!place) return;  // the tips of lines and points say it, too
        register_widget("race.roof.word." + name, *place);
        draw_text(list, {place->x, place->center().y}, words, style);
    }

    // Writes each roof's bandwidth beside its sloping part and its peak beside its level part.
    void draw_roof_words(ImDrawList* list) {
        const TextStyle style{Face::kRegular, px_, race_.colors().ink2};
        for (const Roof* one : {&promised_, &measured_}) {
            if (!one->known()) continue;
            const bool sheet = one == &promised_;
            const std::string how = sheet ? " by datasheet" : " measured";
            const std::string unit = area_.rect.w > 45 * px_ ? " GFLOPS" : "";  // the title has it
            write(list, sheet ? "sheet.peak" : "measured.peak",
                  figure_text(one->peak_gflops) + unit + how, style, beside_level(*one),
                  Align::kRight);
            write(list, sheet ? "sheet.bandwidth" : "measured.bandwidth",
                  figure_text(one->bandwidth_gbs) + " GB/s" + how, style, beside_slope(*one),
                  Align::kRight);
        }
        if (roof().known()) {
            const float x = area_.at(roof().ridge(), 1).x + look_.px(6);
            const float bottom = area_.rect.bottom();
            const ImVec2 places[] = {{x, bottom - px_}, {x, bottom - 2.4f * px_}};
            write(list, "ridge", "ridge " + figure_text(roof().ridge()),
                  {Face::kRegular, px_, race_.colors().ink3}, places, Align::kLeft);
            return;
        }
        draw_text(list, {area_.rect.center().x, area_.rect.y + 1.5f * px_},
                  "no roof: this machine's limits were not measured",
                  {Face::kRegular, px_, race_.colors().ink3, Align::kCenter});
    }

    // Right ends of words above and below the level part of a roof, the nearest first.
    [[nodiscard]] std::vector<ImVec2> beside_level(const Roof& one) const {
        const float y = area_.at(one.ridge(), one.peak_gflops).y;
        std::vector<ImVec2> places;
        for (int row = 0; row < 6; ++row)
            for (const float side : {-1.0f, 1.0f})
                places.push_back({area_.rect.right() - look_.px(4),
                                  y + side * (0.9f + 1.3f * static_cast<float>(row)) * px_});
        return places;
    }

    // Right ends of words left of the sloping part, from its middle outwards.
    [[nodiscard]] std::vector<ImVec2> beside_slope(const Roof& one) const {
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

    // The reference's intensity is unknown, since it was not recorded: draws a level line.
    void draw_reference(ImDrawList* list) {
        const auto gflops = reference_gflops();
        if (!gflops) return;
        const float y = area_.at(area_.x.low, *gflops).y;
        const ImVec2 way[2] = {{area_.rect.x, y}, {area_.rect.right(), y}};
        draw_dashed(list, way, race_.colors().ink2, look_.px(1.5f), Dash::kDashed);
        placer_.avoid_line(way[0], way[1]);
    }

    void draw_reference_words(ImDrawList* list) {
        const auto gflops = reference_gflops();
        if (!gflops) return;
        const float y = area_.at(area_.x.low, *gflops).y;
        std::vector<ImVec2> places;
        for (int row = 0; row < 6; ++row)
            for (const float x : {area_.rect.right() - look_.px(4),
                                  area_.rect.x + 0.5f * area_.rect.w, area_.rect.x + 16 * px_})
                for (const float side : {1.0f, -1.0f})
                    places.push_back({x, y + side * (0.9f + 1.3f * static_cast<float>(row)) * px_});
        write(list, "reference",
              title_of(race_.contenders()[*race_.shown->figures.reference]) + " " +
                  figure_text(*gflops),
              {Face::kRegular, px_, race_.colors().ink2}, places, Align::kRight);
    }

    [[nodiscard]] std::optional<double> reference_gflops() const {
        const auto& reference = race_.shown->figures.reference;
        if (!reference || !race_.size || race_.hidden(*reference)) return std::nullopt;
        return race_.shown->figures.median(*reference, *race_.size);
    }

    [[nodiscard]] const Placed* focus() const {
        for (const Placed& point : points_)
            if (point.contender == race_.focus) return &point;
        return nullptr;
    }

    // Draws a line from the focused contender's point up to the roof.
    void draw_allowance(ImDrawList* list) const {
        const Placed* point = focus();
        if (point == nullptr || !roof().known()) return;
        const ImVec2 way[2] = {point->at, area_.at(point->intensity, roof().at(point->intensity))};
        draw_dashed(list, way, race_.colors().accent, look_.px(1.5f), Dash::kDotted);
    }

    // Names the focused contender first, then its counterpart, then the others from top to bottom.
    void draw_point_words(ImDrawList* list) {
        std::vector<const Placed*> order;
        for (const Placed& point : points_)
            if (race_.strong(point.contender)) order.push_back(&point);
        const auto rank = [&](const Placed* point) {
            return std::pair(point->contender == race_.focus         ? 0
                             : point->contender == race_.counterpart ? 1
                                                                     : 2,
                             point->at.y);
        };
        std::ranges::stable_sort(order, {}, rank);
        for (const Placed* point : order) name_point(list, *point);
    }

    // In a narrow plot a kernel is called by its number, as in the table: "08 32 pad 1".
    [[nodiscard]] std::string label_of(const Contender& contender) const {
        std::string name = short_name(contender);
        const bool numbered = name.size() > 2 && name[0] >= '0' && name[0] <= '9' && name[2] == ' ';
        if (!numbered || area_.rect.w > 60 * px_) return name;
        return name.substr(0, 2) + name.substr(title_of(contender).size());
    }

    void name_point(ImDrawList* list, const Placed& point) {
        const LineStyle& style = race_.styles[point.contender];
        const bool looked_at =
            point.contender == race_.focus || point.contender == race_.counterpart;
        const Face face = looked_at ? Face::kSemiBold : Face::kRegular;
        const std::string name = label_of(race_.contenders()[point.contender]);
        const ImVec2 size{text_width(name, face, px_), 1.25f * px_};
        const float gap = look_.px(12);
        // The name stands near its point or is left out.
        const auto place = placer_.place_beside(
            point.at, places_beside(point.at, size, gap, std::min(0.35f * area_.rect.h, 6 * px_)));
        if (!place) return;  // its tip names it
        register_widget("race.roof.label." + std::to_string(point.contender), *place);
        const ImVec2 end = leader_end(*place, point.at);
        if (std::abs(end.y - point.at.y) > 0.8f * px_ || std::abs(end.x - point.at.x) > 1.5f * gap)
            list->AddLine(point.at, end, mix(race_.colors().panel, style.color, 0.6f), look_.px(1));
        draw_text(list, {place->x, place->center().y}, name, {face, px_, style.color});
    }

    void draw_point(ImDrawList* list, const Placed& point) {
        const LineStyle& style = race_.styles[point.contender];
        const bool strong = race_.strong(point.contender);
        const float size = strong ? marker_px() : look_.px(6);
        if (strong)
            draw_marker(list, style.marker, point.at, size, style.color, race_.colors().panel);
        else
            list->AddCircleFilled(point.at, size / 2, style.color);
        const std::string name = "race.roof." + std::to_string(point.contender);
        const std::string tip = short_name(race_.contenders()[point.contender]) + ": " +
                                figure_text(point.gflops) + " GFLOPS at " +
                                figure_text(point.intensity) + " FLOP/B. Click: replay it";
        const Touch touch = touch_area(
            look_, name, {point.at.x - size, point.at.y - size, 2 * size, 2 * size}, tip);
        if (touch.clicked) race_.replay(race_.contenders()[point.contender]);
    }

    [[nodiscard]] static std::string tile_words(const Contender& contender) {
        const auto counted = small_launch(contender);
        if (!chooses_tiles(contender) || !counted)
            return "At TILE " + std::to_string(contender.tile);
        const KernelParameters& block = counted->parameters;
        return "With tiles of " + std::to_string(block.m) + " x " + std::to_string(block.n);
    }

    // The note below the plot: the GFLOPS that the roof allows the focused contender, and the share
    // of them that it reaches.
    [[nodiscard]] std::string note() const {
        const Placed* point = focus();
        if (!roof().known()) return {};
        const std::string waiting = waiting_words();
        if (!waiting.empty()) return waiting;
        if (point == nullptr) return above_words();
        const Contender& contender = race_.contenders()[point->contender];
        const double allowed = roof().at(point->intensity);
        const bool memory = point->intensity < roof().ridge();
        std::string words = tile_words(contender) + (memory ? " memory" : " arithmetic") +
                            " would allow " + figure_text(allowed) + " GFLOPS. " +
                            short_name(contender) + " reaches " +
                            figure_text(100 * point->gflops / allowed) + " % of that";
        for (const Placed& other : points_)
            if (other.contender == race_.counterpart)
                words += ", PAD 0 " + figure_text(100 * other.gflops / allowed) + " %";
        words += ".";
        if (const std::string above = above_words(); !above.empty()) words += " " + above;
        return words + (measured_.known() ? " Roof as measured on it by a copy and an FMA loop."
                                          : " Roof by datasheet.");
    }

    // The intensity of each point comes from a small recording of its kernel. Says how many of
    // these are made; empty when none is missing or nothing is under way.
    [[nodiscard]] std::string waiting_words() const {
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

    [[nodiscard]] std::string above_words() const {
        const bool above = std::ranges::any_of(points_, [&](const Placed& point) {
            return point.gflops > roof().at(point.intensity);
        });
        return above ? "Above the roof: caches serve what is read again." : "";
    }

    void draw_note(ImDrawList* list) const {
        if (note_lines_ == 0) return;
        draw_paragraph(list, {room_.x + look_.px(4), area_.rect.bottom() + 3.6f * px_},
                       room_.w - look_.px(8), note(), {Face::kRegular, px_, race_.colors().ink2});
    }

    const RaceContext& race_;
    const Look& look_;
    float px_ = 13;
    Rect room_;
    Roof measured_, promised_;
    std::vector<Placed> points_;
    PlotArea area_;
    GridStyle grid_;
    LabelPlacer placer_{Rect{}};
    std::size_t note_lines_ = 0;
};

}  // namespace

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
                  {card.right() - look.px(12) - width, (card.y + look.px(8) + top - height) / 2,
                   width, height},
                  kHow, race.bench.view().recorded_intensity ? 1 : 0,
                  "Bytes that the code asks for, or bytes that a recorded trace says are moved")
            : -1;
    if (chosen >= 0) race.ask(SetIntensity{chosen == 1});
    const float pad = look.px(16);
    Roofline(race,
             {card.x + pad, top + look.px(4), card.w - 2 * pad, card.bottom() - top - look.px(14)})
        .draw();
}

}  // namespace tilereel
