// Each contender's GFLOPS at its arithmetic intensity, below the roofs of bandwidth and peak. Below
// the plot: what each mark and line is.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/race/race_views.h"
#include "app/panels/wrap_row.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/workbench/tables/datasheet.h"

namespace tilereel {
namespace {

constexpr float kMostKey = 0.45f;  // the key takes no larger share of the height, and then scrolls

// The limit that bandwidth and peak set for the GFLOPS at an arithmetic intensity (FLOP per byte).
struct Roof {
    double bandwidth_gbs = 0, peak_gflops = 0;
    [[nodiscard]] bool known() const { return bandwidth_gbs > 0 && peak_gflops > 0; }
    [[nodiscard]] double ridge() const { return peak_gflops / bandwidth_gbs; }
    [[nodiscard]] double at(double intensity) const {
        return std::min(peak_gflops, intensity * bandwidth_gbs);
    }
};

// A contender in the plot.
struct RooflinePoint {
    std::uint32_t contender = 0;
    double intensity = 0, gflops = 0;
};

class Roofline {
  public:
    Roofline(const RaceContext& race, const Rect& room)
        : race_(race), look_(race.look), px_(race.type(13)) {
        const RaceMachine& machine = race.shown->race.machine;
        measured_ = {machine.measured_bandwidth_gbs, machine.measured_peak_gflops};
        if (const Datasheet* sheet = machine.gpu ? datasheet_of(machine.device) : nullptr)
            datasheet_ = {sheet->bandwidth_gbs, sheet->peak_gflops};
        place();
        find_tensor_roof();
        lay_out(room);
    }

    void draw(float& scroll) {
        register_widget("race.roofline", room_);
        draw_grid(look_, area_, grid_);
        draw_text({area_.rect.center().x, area_.rect.bottom() + 2.75f * px_},
                  recorded() ? "FLOP per byte moved, small recording scaled to N"
                             : "FLOP per byte, as counted: 2 FLOP / 8 B loaded, \xc3\x97 TILE",
                  {Face::kRegular, px_, race_.colors().ink3, Align::kCenter});
        draw_lines_of_roofs();
        for (const bool strong : {false, true})
            for (const RooflinePoint& point : points_)
                if (race_.strong(point.contender) == strong) draw_point(point);
        const ScrollArea key(look_, below_, key_height_, scroll);
        draw_key({below_.x, key.top(), key_width(), 0});
    }

  private:
    // Whether the intensity comes from a recording. For a CPU it does not: the traffic of its
    // caches is not recorded.
    [[nodiscard]] bool recorded() const {
        return race_.bench.view().recorded_intensity && race_.shown->race.machine.gpu;
    }
    [[nodiscard]] const Roof& roof() const { return measured_.known() ? measured_ : datasheet_; }

    [[nodiscard]] std::optional<double> intensity_of(std::uint32_t c) const {
        const Contender& contender = race_.contenders()[c];
        const ProductSize& size = race_.sizes()[*race_.size];
        const SizedCounts* counts = race_.bench.counts(contender);
        if (counts == nullptr ||
            !races_as_counted(contender, size, race_.shown->race.machine.multiprocessors))
            return std::nullopt;
        return recorded() ? recorded_intensity(*counts, size) : counted_intensity(*counts);
    }

    void place() {
        if (!race_.size) return;
        for (std::uint32_t c = 0; c < race_.contenders().size(); ++c) {
            const auto gflops = race_.shown->figures.median(c, *race_.size);
            const auto intensity = intensity_of(c);
            if (gflops && *gflops > 0 && intensity && !race_.hidden(c))
                points_.push_back({c, *intensity, *gflops});
        }
    }

    // Drawn only if a contender that uses the tensor cores is.
    void find_tensor_roof() {
        const RaceMachine& machine = race_.shown->race.machine;
        const Datasheet* const sheet = machine.gpu ? datasheet_of(machine.device) : nullptr;
        if (sheet != nullptr && std::ranges::any_of(points_, [&](const RooflinePoint& point) {
                return inputs_of(race_.contenders()[point.contender]) == InputType::kBfloat16;
            }))
            tensor_ = {sheet->bandwidth_gbs, sheet->bf16_gflops};
    }

    void lay_out(const Rect& room) {
        room_ = room;
        double low_x = 0.125, high_x = 64, low_y = 1e300, high_y = 0;
        for (const RooflinePoint& point : points_) {
            low_x = std::min(low_x, point.intensity / 1.5);
            high_x = std::max(high_x, point.intensity * 1.5);
            low_y = std::min(low_y, point.gflops);
            high_y = std::max(high_y, point.gflops);
        }
        for (const Roof& one : {measured_, datasheet_, tensor_})
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
        key_height_ = measured([&] { return draw_key({0, 0, key_width(), 0}); });
        const float most = std::floor(kMostKey * room.h / key_line()) * key_line();
        const float below = key_height_ <= most ? std::ceil(key_height_) : std::floor(most);
        const float axis = 3.7f * px_;
        below_ = {room.x, room.bottom() - below, room.w, below};
        const float left = y_labels_width(area_.y, grid_);
        area_.rect = {std::round(room.x + left), std::round(room.y + 0.3f * px_),
                      std::max(40.0f, room.w - left - 0.5f * px_),
                      std::max(40.0f, room.h - below - axis)};
    }

    [[nodiscard]] float key_line() const { return 1.5f * px_; }
    // Beside a table there is room for short words only.
    [[nodiscard]] bool is_narrow() const { return key_width() < 45 * px_; }
    // Beside the scroll bar.
    [[nodiscard]] float key_width() const { return room_.w - look_.gap(); }

    void draw_lines_of_roofs() const {
        const Clip clip(area_.rect);
        if (tensor_.known()) draw_roof(tensor_, Dash::kDotted, race_.colors().c);
        if (datasheet_.known()) draw_roof(datasheet_, Dash::kDotted, race_.colors().ink3);
        if (measured_.known()) draw_roof(measured_, Dash::kSolid, race_.colors().ink);
        const float thin = look_.frame();
        if (const double ridge = roof().known() ? roof().ridge() : 0; ridge > 0)
            draw_dashed(
                std::array{area_.at(ridge, roof().peak_gflops), area_.at(ridge, area_.y.low)},
                race_.colors().ink3, thin, Dash::kDashed);
        // The reference's intensity is unknown, because it was not recorded.
        if (const auto gflops = reference_gflops())
            draw_dashed(std::array{area_.at(area_.x.low, *gflops), area_.at(area_.x.high, *gflops)},
                        race_.colors().ink2, thin, Dash::kDashed);
        // From the focused contender's point up to the roof.
        if (const RooflinePoint* point = focus(); point != nullptr && roof().known())
            draw_dashed(std::array{area_.at(point->intensity, point->gflops),
                                   area_.at(point->intensity, roof().at(point->intensity))},
                        race_.colors().accent, thin, Dash::kDotted);
    }

    void draw_roof(const Roof& one, Dash dash, ImU32 color) const {
        draw_dashed(std::array{area_.at(area_.x.low, one.at(area_.x.low)),
                               area_.at(one.ridge(), one.peak_gflops),
                               area_.at(area_.x.high, one.peak_gflops)},
                    color, look_.px(2.5f), dash);
    }

    [[nodiscard]] std::optional<double> reference_gflops() const {
        const auto& reference = race_.shown->figures.reference;
        if (!reference || !race_.size || race_.hidden(*reference)) return std::nullopt;
        return race_.shown->figures.median(*reference, *race_.size);
    }

    [[nodiscard]] const RooflinePoint* focus() const {
        const auto at = std::ranges::find(points_, race_.focus, &RooflinePoint::contender);
        return at == points_.end() ? nullptr : &*at;
    }

    void draw_point(const RooflinePoint& point) const {
        const LineStyle& style = race_.styles[point.contender];
        const bool strong = race_.strong(point.contender);
        const float size = strong ? look_.px(14) : look_.snug();
        const ImVec2 at = area_.at(point.intensity, point.gflops);
        if (strong)
            draw_marker(style.marker, at, size, style.color, race_.colors().panel);
        else
            draw_list()->AddCircleFilled(at, size / 2, style.color);
        const std::string tip = short_name(race_.contenders()[point.contender]) + ": " +
                                figure_text(point.gflops) + " GFLOPS at " +
                                figure_text(point.intensity) + " FLOP/B. Click: replay it";
        const Interaction touch = interact(look_, "race.roof." + std::to_string(point.contender),
                                           {at.x - size, at.y - size, 2 * size, 2 * size}, tip);
        if (touch.clicked) race_.replay(race_.contenders()[point.contender]);
    }

    // Draws what each line and strong mark is, and the note. Returns the height.
    float draw_key(const Rect& place) const {
        const Palette& colors = race_.colors();
        WrapRow row(place, key_line(), 0, px_);
        const auto add = [&](const std::string& name, const std::string& words,
                             const LineStyle& style, bool mark, ImU32 ink, Face face) {
            const Rect entry = row.next(2.6f * px_ + text_width(words, face, px_));
            draw_text({entry.x + 2.6f * px_, entry.center().y}, words, {face, px_, ink});
            if (measures()) return;
            register_seen(name, entry);
            const ImVec2 left{entry.x, entry.center().y}, right{entry.x + 2 * px_, left.y};
            if (mark)
                draw_marker(style.marker, {left.x + px_, left.y}, look_.px(13), style.color,
                            colors.panel);
            else
                draw_dashed(std::array{left, right}, style.color, style.width, style.dash);
        };
        const auto add_line = [&](const char* name, const std::string& words, ImU32 color,
                                  Dash dash, float width) {
            add(std::string("race.roof.word.") + name, words, {color, Marker::kCross, dash, width},
                false, colors.ink2, Face::kRegular);
        };
        const auto words_of = [&](const char* origin, const Roof& one) {
            const std::string peak = origin + (" " + figure_text(one.peak_gflops));
            return is_narrow() ? peak
                               : peak + " GFLOPS, " + figure_text(one.bandwidth_gbs) + " GB/s";
        };
        if (datasheet_.known())
            add_line("sheet", words_of("datasheet", datasheet_), colors.ink3, Dash::kDotted,
                     look_.px(2.5f));
        if (tensor_.known())
            add_line("tensor", "BF16 " + words_of("datasheet", tensor_), colors.c, Dash::kDotted,
                     look_.px(2.5f));
        if (measured_.known())
            add_line("measured", words_of("measured", measured_), colors.ink, Dash::kSolid,
                     look_.px(2.5f));
        if (roof().known())
            add_line("ridge", "ridge " + figure_text(roof().ridge()), colors.ink3, Dash::kDashed,
                     look_.frame());
        if (const auto gflops = reference_gflops())
            add_line("reference",
                     title_of(race_.contenders()[*race_.shown->figures.reference]) + " " +
                         figure_text(*gflops),
                     colors.ink2, Dash::kDashed, look_.frame());
        for (const RooflinePoint& point : points_)
            if (const std::uint32_t c = point.contender; race_.strong(c))
                add("race.roof.label." + std::to_string(c), short_name(race_.contenders()[c]),
                    race_.styles[c], true, race_.styles[c].color,
                    c == race_.focus ? Face::kSemiBold : Face::kRegular);
        return row.bottom() - place.y +
               draw_paragraph({place.x, row.bottom()}, place.w, note(),
                              {Face::kRegular, px_, colors.ink2});
    }

    [[nodiscard]] static std::string tile_size_text(const Contender& contender) {
        const auto counted = small_launch(contender);
        if (!chooses_tiles(contender) || !counted)
            return "At TILE " + std::to_string(contender.tile);
        const KernelParameters& block = counted->parameters;
        return "With tiles of " + std::to_string(block.m) + " x " + std::to_string(block.n);
    }

    // The GFLOPS that the roof allows the focused contender, and the share that it reaches.
    [[nodiscard]] std::string note() const {
        const RooflinePoint* point = focus();
        if (!roof().known()) return "No roof: this machine's limits were not measured.";
        const std::string waiting = waiting_text();
        if (!waiting.empty()) return waiting;
        if (point == nullptr) return above_text();
        const Contender& contender = race_.contenders()[point->contender];
        const double allowed = roof().at(point->intensity);
        const bool memory = point->intensity < roof().ridge();
        if (is_narrow())
            return short_name(contender) + ": " + figure_text(100 * point->gflops / allowed) +
                   " % of what " + (memory ? "memory" : "arithmetic") + " allows.";
        std::string words = tile_size_text(contender) + (memory ? " memory" : " arithmetic") +
                            " would allow " + figure_text(allowed) + " GFLOPS. " +
                            short_name(contender) + " reaches " +
                            figure_text(100 * point->gflops / allowed) + " % of that";
        for (const RooflinePoint& other : points_)
            if (other.contender == race_.counterpart)
                words += ", PAD 0 " + figure_text(100 * other.gflops / allowed) + " %";
        words += ". " + above_text();
        return words + (measured_.known() ? "Roof as measured by a copy and an FMA loop."
                                          : "Roof by datasheet.");
    }

    // The progress of the small recordings from which the intensities are computed. Empty if all
    // are done, or if nothing is being recorded.
    [[nodiscard]] std::string waiting_text() const {
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

    [[nodiscard]] std::string above_text() const {
        const bool above = std::ranges::any_of(points_, [&](const RooflinePoint& point) {
            return point.gflops > roof().at(point.intensity);
        });
        return above ? "Above the roof: caches serve what is read again. " : "";
    }

    const RaceContext& race_;
    const Look& look_;
    float px_;
    Rect room_, below_;
    float key_height_ = 0;
    Roof measured_, datasheet_;
    Roof tensor_;  // of the tensor cores, by the datasheet
    std::vector<RooflinePoint> points_;
    PlotArea area_;
    GridStyle grid_;
};

}  // namespace

void draw_race_roofline(const RaceContext& race, const Rect& card, float& scroll) {
    const Look& look = race.look;
    constexpr std::array<std::string_view, 2> kHow = {"counted", "recorded"};
    const bool gpu = race.shown->race.machine.gpu;
    const float width = gpu ? button_width(look, "countedrecorded", 48) : 0;
    const CardTitle title = draw_race_title(
        race, card, "Roofline",
        race.size ? size_text(race.sizes()[*race.size]) + ", GFLOPS" : std::string(), width);
    const int chosen =
        gpu ? segmented(
                  look, "race.intensity", title.controls, kHow,
                  race.bench.view().recorded_intensity ? 1 : 0,
                  "Bytes that the code asks for, or bytes that a recorded trace says are moved")
            : -1;
    if (chosen >= 0) race.ask(SetIntensity{chosen == 1});
    Roofline(race, title.room).draw(scroll);
}

}  // namespace tilereel
