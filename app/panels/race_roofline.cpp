// Each contender's GFLOPS at its arithmetic intensity, under what memory and arithmetic allow.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/race_views.h"
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
        draw_roof_words(list);
        draw_points(list);
        draw_note(list);
    }

  private:
    // What a CPU's caches move is not recorded.
    [[nodiscard]] bool recorded() const {
        return race_.bench.view().recorded_intensity && race_.shown->race.machine.gpu;
    }
    [[nodiscard]] const Roof& roof() const { return measured_.known() ? measured_ : promised_; }
    [[nodiscard]] const char* unit_words() const {
        return recorded() ? "FLOP per byte, as recorded: sectors moved, loads and stores"
                          : "FLOP per byte, as counted: 2 FLOP / 8 B loaded, \xc3\x97 TILE";
    }

    std::optional<double> intensity_of(std::uint32_t c) const {
        const SizedCounts* counts = race_.bench.counts(race_.contenders()[c]);
        if (counts == nullptr) return std::nullopt;
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
            high_x = std::max(high_x, point.intensity * 1.5);
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
        const float left = y_labels_width(area_.y, grid_);
        note_lines_ = note().empty()
                          ? 0
                          : wrap_text(note(), room.w - look_.px(8), Face::kRegular, px_).size();
        if (paragraph_height(note_lines_, px_) > 0.3f * room.h) note_lines_ = 0;
        const float below = 3.7f * px_ + paragraph_height(note_lines_, px_);
        area_.rect = {std::round(room.x + left), std::round(room.y + 0.3f * px_),
                      std::max(40.0f, room.w - left - 0.5f * px_), std::max(40.0f, room.h - below)};
        for (Placed& point : points_) point.at = area_.at(point.intensity, point.gflops);
    }

    void draw_roof(ImDrawList* list, const Roof& one, Dash dash, ImU32 color) const {
        const ImVec2 way[3] = {area_.at(area_.x.low, one.at(area_.x.low)),
                               area_.at(one.ridge(), one.peak_gflops),
                               area_.at(area_.x.high, one.peak_gflops)};
        draw_dashed(list, way, color, look_.px(2.5f), dash);
        if (&one != &roof()) return;
        const ImVec2 down[2] = {way[1], {way[1].x, area_.rect.bottom()}};
        draw_dashed(list, down, race_.colors().line, look_.px(1.5f), Dash::kDashed);
    }

    // What each roof is, beside its sloping and its level part.
    void draw_roof_words(ImDrawList* list) const {
        const Palette& colors = race_.colors();
        const Rect& rect = area_.rect;
        float below = 0;
        for (const Roof* one : {&promised_, &measured_}) {
            if (!one->known()) continue;
            const bool sheet = one == &promised_;
            const char* how = sheet ? " by datasheet" : " measured";
            const ImVec2 corner = area_.at(one->ridge(), one->peak_gflops);
            const float y = corner.y + (sheet ? -0.8f : 0.9f) * px_;
            draw_text(list, {rect.right() - look_.px(4), y},
                      figure_text(one->peak_gflops) + " GFLOPS" + how,
                      {Face::kRegular, px_, colors.ink2, Align::kRight});
            // Left of the slope, one under the other from its middle on.
            const ImVec2 middle = area_.at(std::sqrt(area_.x.low * one->ridge()),
                                           one->at(std::sqrt(area_.x.low * one->ridge())));
            const float at = std::max(rect.y + px_, middle.y - 2.2f * px_ - below);
            draw_text(list, {std::max(rect.x + look_.px(6) + 12 * px_, middle.x + px_), at},
                      figure_text(one->bandwidth_gbs) + " GB/s" + how,
                      {Face::kRegular, px_, colors.ink2, Align::kRight});
            below += 1.3f * px_;
        }
        if (!roof().known()) {
            draw_text(list, {rect.center().x, rect.y + 1.5f * px_},
                      "no roof: this machine's limits were not measured",
                      {Face::kRegular, px_, colors.ink3, Align::kCenter});
            return;
        }
        const float x = area_.at(roof().ridge(), 1).x;
        draw_text(list, {x + look_.px(6), rect.bottom() - px_},
                  "ridge " + figure_text(roof().ridge()), {Face::kRegular, px_, colors.ink3});
    }

    // The reference was not recorded: a level line, at any intensity.
    void draw_reference(ImDrawList* list) const {
        const auto& reference = race_.shown->figures.reference;
        if (!reference || !race_.size) return;
        const auto gflops = race_.shown->figures.median(*reference, *race_.size);
        if (!gflops || race_.hidden(*reference)) return;
        const float y = area_.at(area_.x.low, *gflops).y;
        const ImVec2 way[2] = {{area_.rect.x, y}, {area_.rect.right(), y}};
        draw_dashed(list, way, race_.colors().ink2, look_.px(1.5f), Dash::kDashed);
        draw_text(list, {area_.rect.right() - look_.px(4), y + 0.9f * px_},
                  title_of(race_.contenders()[*reference]) + " " + figure_text(*gflops),
                  {Face::kRegular, px_, race_.colors().ink2, Align::kRight});
    }

    [[nodiscard]] const Placed* focus() const {
        for (const Placed& point : points_)
            if (point.contender == race_.focus) return &point;
        return nullptr;
    }

    // From the contender looked at up to its roof.
    void draw_allowance(ImDrawList* list) const {
        const Placed* point = focus();
        if (point == nullptr || !roof().known()) return;
        const ImVec2 way[2] = {point->at, area_.at(point->intensity, roof().at(point->intensity))};
        draw_dashed(list, way, race_.colors().accent, look_.px(1.5f), Dash::kDotted);
    }

    void draw_points(ImDrawList* list) {
        // Labels of points in one column give way to each other; those of a column further right
        // begin where this one's end.
        std::vector<std::size_t> order(points_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::sort(order, {}, [&](std::size_t i) { return points_[i].at.x; });
        const float near = look_.px(24);
        for (std::size_t begin = 0; begin < order.size();) {
            std::size_t end = begin + 1;
            while (end < order.size() &&
                   points_[order[end]].at.x - points_[order[begin]].at.x < near)
                ++end;
            draw_column(list, std::span(order).subspan(begin, end - begin),
                        end < order.size() ? points_[order[end]].at.x : area_.rect.right() + 9e3f);
            begin = end;
        }
    }

    void draw_column(ImDrawList* list, std::span<const std::size_t> column, float next) {
        std::vector<float> wanted, heights;
        float widest = 0, right = 0, left = 1e9f;
        for (const std::size_t i : column) {
            wanted.push_back(points_[i].at.y);
            heights.push_back(1.25f * px_);
            widest =
                std::max(widest, text_width(short_name(race_.contenders()[points_[i].contender]),
                                            Face::kRegular, px_));
            right = std::max(right, points_[i].at.x);
            left = std::min(left, points_[i].at.x);
        }
        const std::vector<float> middles =
            spread_labels(wanted, heights, area_.rect.y, area_.rect.bottom());
        const float gap = look_.px(12);
        const float room = std::min(next - gap, area_.rect.right()) - right - gap;
        const bool on_left = room < widest && left - area_.rect.x > widest + gap;
        for (std::size_t k = 0; k < column.size(); ++k) {
            const Placed& point = points_[column[k]];
            const LineStyle& style = race_.styles[point.contender];
            const bool plain =
                style.color != race_.colors().accent && style.color != race_.colors().conflict;
            const float x = on_left ? left - gap : right + gap;
            if (std::abs(middles[k] - point.at.y) > 0.8f * px_)
                list->AddLine(point.at, {on_left ? x + 2 : x - 2, middles[k]},
                              mix(race_.colors().panel, style.color, 0.5f), look_.px(1));
            draw_text(list, {x, middles[k]}, short_name(race_.contenders()[point.contender]),
                      {plain ? Face::kRegular : Face::kSemiBold, px_,
                       plain ? race_.colors().ink2 : style.color,
                       on_left ? Align::kRight : Align::kLeft});
        }
        for (const std::size_t i : column) draw_point(list, points_[i]);
    }

    void draw_point(ImDrawList* list, const Placed& point) {
        const LineStyle& style = race_.styles[point.contender];
        const float size = look_.px(14);
        draw_marker(list, style.marker, point.at, size, style.color, race_.colors().panel);
        const std::string name = "race.roof." + std::to_string(point.contender);
        const std::string tip = short_name(race_.contenders()[point.contender]) + ": " +
                                figure_text(point.gflops) + " GFLOPS at " +
                                figure_text(point.intensity) + " FLOP/B. Click: replay it";
        const Touch touch = touch_area(
            look_, name, {point.at.x - size, point.at.y - size, 2 * size, 2 * size}, tip);
        if (touch.clicked) race_.replay(race_.contenders()[point.contender]);
    }

    // What memory would allow the contender looked at, and what is reached of it.
    [[nodiscard]] std::string note() const {
        const Placed* point = focus();
        if (!roof().known()) return {};
        if (point == nullptr)
            return points_.empty() ? "Points appear once the kernels are recorded small." : "";
        const Contender& contender = race_.contenders()[point->contender];
        const double allowed = roof().at(point->intensity);
        const bool memory = point->intensity < roof().ridge();
        std::string words = "At TILE " + std::to_string(contender.tile) + " " +
                            (memory ? "memory" : "arithmetic") + " would allow " +
                            figure_text(allowed) + " GFLOPS. " + short_name(contender) +
                            " reaches " + figure_text(100 * point->gflops / allowed) + " % of that";
        for (const Placed& other : points_)
            if (other.contender == race_.twin)
                words += ", PAD 0 " + figure_text(100 * other.gflops / allowed) + " %";
        words += ".";
        if (point->gflops > allowed) words += " Above the roof: caches serve what is read again.";
        return words + (measured_.known() ? " Roof as measured here by a copy and an FMA loop."
                                          : " Roof by datasheet.");
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
        race.size ? "GFLOPS at " + size_text(race.sizes()[*race.size]) : std::string();
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
