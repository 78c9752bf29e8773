// The plot of GFLOPS, speed-up over naive, or effective bandwidth against N.
#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <set>

#include "app/panels/race/race_plot_parts.h"
#include "instrumentation/base/format/with_commas.h"

namespace tilereel {
namespace {

class PlotOverN {
  public:
    PlotOverN(const RaceContext& race, const Rect& room)
        : race_(race), look_(race.look), px_(race.type(14)), levels_(levels_of(race)) {
        collect();
        names_.emplace(race_, levels_, points_, room);
        lay_out(room);
    }

    void draw() {
        register_widget("race.plot", area_.rect);
        GridStyle grid = grid_;
        grid.x_ticks = edges_;
        draw_running_column();
        draw_grid(look_, area_, grid);
        draw_list()->PushClipRect({area_.rect.x - px_, area_.rect.y - px_},
                                  {area_.rect.right() + px_, area_.rect.bottom() + px_}, true);
        draw_levels();
        draw_compared();
        // Thin lines are drawn first and focused ones last.
        for (const int layer : {0, 1, 2})
            for (std::uint32_t c = 0; c < race_.contenders().size(); ++c)
                if (layer_of(c) == layer) draw_line(c);
        draw_running_pulse();
        if (estimate_) draw_estimated_point(race_, area_, *estimate_, px_);
        draw_list()->PopClipRect();
        names_->draw(names_room_);
        hover();
    }

  private:
    void collect() {
        const ShownRace& shown = *race_.shown;
        double least = 1e300, most = 0;
        std::set<double> edges;
        const auto reach = [&](double value) {
            if (!(value > 0)) return;
            least = std::min(least, value);
            most = std::max(most, value);
        };
        for (const std::uint32_t s : sizes_by_edge(shown.race.request)) {
            edges.insert(edge_of(race_.sizes()[s]));
            for (std::uint32_t c = 0; c < race_.contenders().size(); ++c)
                if (const auto value = plotted_value(race_, shown, c, s)) {
                    points_.push_back({c, s, *value, {}, is_square(race_.sizes()[s])});
                    if (!race_.hidden(c)) reach(*value);
                }
        }
        if (const ShownRace* other = race_.bench.compared())
            for (std::uint32_t c = 0; c < other->race.request.contenders.size(); ++c)
                for (std::uint32_t s = 0; s < other->race.request.sizes.size(); ++s)
                    if (const auto value = plotted_value(race_, *other, c, s)) reach(*value);
        estimate_ = estimated_point(race_);
        if (estimate_) {
            edges.insert(estimate_->edge);
            reach(estimate_->low);
            reach(estimate_->high);
        }
        if (most == 0) least = 1, most = 10;
        // A level that would squeeze the lines is left out.
        const double highest = (race_.bench.view().log_figures ? 300 : 1.5) * most;
        std::erase_if(levels_, [&](const Level& level) { return level.value >= highest; });
        for (const Level& level : levels_) reach(level.value);
        edges_.assign(edges.begin(), edges.end());
        area_.y = axis_over(race_.bench.view().log_figures ? AxisScale::kLog10 : AxisScale::kLinear,
                            least, most);
        const double first = edges_.empty() ? 1 : edges_.front();
        const double last = edges_.empty() ? 2 : edges_.back();
        if (race_.bench.view().log_sizes)
            area_.x = {AxisScale::kLog2, first / 1.12, std::max(last * 1.12, first * 2)};
        else
            area_.x = {AxisScale::kLinear, 0, last * 1.05};
    }

    void lay_out(const Rect& room) {
        grid_.px = px_;
        grid_.most_y = std::max(2, static_cast<int>(room.h / (2.2f * px_)));
        grid_.x_label = [this](double n) {
            return (n == edges_.front() ? "N = " : "") +
                   with_commas(static_cast<std::uint64_t>(std::llround(n)));
        };
        const float left = std::max(y_labels_width(area_.y, grid_), 3 * px_);
        const float right = names_->width() + look_.wide();
        area_.rect = {std::round(room.x + left), std::round(room.y),
                      std::max(40.0f, std::round(room.w - left - right)),
                      std::max(40.0f, std::round(room.h - 2.1f * px_))};
        names_room_ = {room.right() - names_->width(), room.y, names_->width(), room.h};
        for (PlottedPoint& point : points_)
            point.at = area_.at(edge_of(race_.sizes()[point.size]), point.value);
    }

    void draw_levels() const {
        for (const Level& level : levels_) {
            const LineStyle style = level.style(look_);
            draw_dashed(
                std::array{area_.at(area_.x.low, level.value), area_.at(area_.x.high, level.value)},
                style.color, style.width, style.dash);
        }
    }

    [[nodiscard]] auto points_of(std::uint32_t c) const {
        return points_ |
               std::views::filter([c](const PlottedPoint& point) { return point.contender == c; });
    }

    [[nodiscard]] std::vector<ImVec2> way_of(std::uint32_t c) const {
        std::vector<ImVec2> way;
        for (const PlottedPoint& point : points_of(c))
            if (point.joined) way.push_back(point.at);
        return way;
    }

    [[nodiscard]] int layer_of(std::uint32_t c) const {
        if (!race_.strong(c)) return 0;
        return c == race_.focus || c == race_.counterpart ? 2 : 1;
    }

    void draw_line(std::uint32_t c) {
        if (race_.hidden(c)) return;
        const LineStyle& style = race_.styles[c];
        const std::vector<ImVec2> way = way_of(c);
        if (way.size() > 1) draw_dashed(way, style.color, style.width, style.dash);
        const bool strong = race_.strong(c);
        for (const PlottedPoint& point : points_of(c))
            if (strong) draw_spread(point, style.color);
        for (const PlottedPoint& point : points_of(c))
            if (strong)
                draw_marker(style.marker, point.at, look_.px(13), style.color,
                            race_.colors().panel);
            else
                draw_list()->AddCircleFilled(point.at, look_.hair(), style.color);
    }

    // Draws the range from the slowest to the fastest sample.
    void draw_spread(const PlottedPoint& point, ImU32 color) {
        const auto& gflops = race_.shown->figures.entries[point.contender][point.size].rate;
        if (!gflops || !(gflops->median > 0)) return;
        const double edge = edge_of(race_.sizes()[point.size]);
        const double low = point.value * gflops->least / gflops->median;
        const double high = point.value * gflops->most / gflops->median;
        const float top = area_.at(edge, high).y;
        const float bottom =
            low > 0 ? std::min(area_.at(edge, low).y, area_.rect.bottom()) : area_.rect.bottom();
        if (bottom - top < look_.px(13)) return;  // the marker covers the range
        const float x = point.at.x, half = look_.px(5);
        register_widget(
            "race.spread." + std::to_string(point.contender) + "." + std::to_string(point.size),
            {x - half, top, 2 * half, bottom - top});
        const bool large = spread_is_large(*gflops);
        const ImU32 ink = mix(race_.colors().panel, color, large ? 1.0f : 0.7f);
        const float width = look_.px(large ? 2.0f : 1.25f);
        draw_list()->AddLine({x, top}, {x, bottom}, ink, width);
        for (const float y : {top, bottom})
            draw_list()->AddLine({x - half, y}, {x + half, y}, ink, width);
    }

    // Draws the lines of the compared race, thin and dotted, behind the lines of the shown race.
    void draw_compared() {
        const ShownRace* other = race_.bench.compared();
        if (other == nullptr) return;
        for (std::uint32_t c = 0; c < other->race.request.contenders.size(); ++c) {
            const auto own =
                find_contender(race_.shown->race.request, other->race.request.contenders[c]);
            if (own && !race_.strong(*own)) continue;
            const Marker marker = own ? race_.styles[*own].marker : Marker::kPlus;
            std::vector<ImVec2> way;
            for (const std::uint32_t s : sizes_by_edge(other->race.request)) {
                const ProductSize& size = other->race.request.sizes[s];
                const auto value = plotted_value(race_, *other, c, s);
                if (value && is_square(size)) way.push_back(area_.at(edge_of(size), *value));
            }
            if (way.size() > 1)
                draw_dashed(way, race_.colors().ink3, look_.px(1.25f), Dash::kDotted);
            for (const ImVec2 at : way)
                draw_marker(marker, at, look_.gap(), race_.colors().ink3, race_.colors().panel);
        }
    }

    // A column at the size that runs.
    void draw_running_column() const {
        const auto& size = race_.shown->figures.running_size;
        if (!race_.shown->running || !size) return;
        const float x = area_.at(edge_of(race_.sizes()[*size]), area_.y.high).x;
        const float half = text_width("running", Face::kSemiBold, px_) / 2;
        const float middle = std::clamp(x, area_.rect.x + half, area_.rect.right() - half);
        const float left = std::max(x - look_.margin(), area_.rect.x);
        fill_rect({left, area_.rect.y, std::min(x + look_.margin(), area_.rect.right()) - left,
                   area_.rect.h},
                  race_.colors().accent_tint);
        draw_text({middle, area_.rect.bottom() - px_}, "running",
                  {Face::kSemiBold, px_, race_.colors().ink, Align::kCenter});
    }

    // Around the contender's value at the size that runs, or at the end of its line so far.
    void draw_running_pulse() const {
        const auto& now = race_.shown->figures.now;
        if (!now || now->doing == RaceNow::Doing::kWarmsUp || race_.hidden(now->contender)) return;
        const PlottedPoint* at = nullptr;
        for (const PlottedPoint& point : points_)
            if (point.contender == now->contender && (at == nullptr || at->size != now->size))
                at = &point;
        if (at != nullptr) draw_pulse(race_, now->contender, at->at);
    }

    void hover() {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        if (!ImGui::IsWindowHovered() || !area_.rect.inset(-look_.px(10)).contains(mouse)) return;
        std::vector<PlottedPoint> seen;
        std::vector<ImVec2> at;
        for (const PlottedPoint& point : points_)
            if (!race_.hidden(point.contender)) {
                seen.push_back(point);
                at.push_back(point.at);
            }
        const auto nearest = nearest_point(at, mouse, look_.px(28));
        if (!nearest) return;
        const PlottedPoint& point = seen[*nearest];
        const float size = look_.px(22);
        const Rect box{point.at.x - size / 2, point.at.y - size / 2, size, size};
        register_widget(
            "race.point." + std::to_string(point.contender) + "." + std::to_string(point.size),
            box);
        draw_list()->AddCircle(point.at, 0.6f * size, race_.colors().ink, 0, look_.frame());
        draw_point_card(race_, point, px_);
        if (ImGui::IsMouseClicked(0)) race_.replay(race_.contenders()[point.contender]);
    }

    const RaceContext& race_;
    const Look& look_;
    float px_;
    std::vector<Level> levels_;
    std::optional<LineNames> names_;
    Rect names_room_;
    PlotArea area_;
    GridStyle grid_;
    std::vector<double> edges_;
    std::vector<PlottedPoint> points_;
    std::optional<EstimatedPoint> estimate_;
};

constexpr std::array<const char*, 3> kPlotTitles = {"GFLOPS over N", "Speed-up over naive",
                                                    "Effective bandwidth"};  // by RacePlot

std::string title_of_plot(const RaceContext& race) {
    if (race.plot() == RacePlot::kTime) return "Time over n";
    if (!race.of_products()) return "GB/s over n";
    const auto plot = static_cast<std::size_t>(race.plot());
    return plot == 0 && race.sizes().size() == 1 ? "GFLOPS at " + size_text(race.sizes().front())
                                                 : kPlotTitles[plot];
}

std::string caption_of(const RaceContext& race) {
    const Race& shown = race.shown->race;
    std::string where = machine_text(shown.machine);
    if (shown.recorded) where += ", recorded " + shown.date.substr(0, 10);
    if (const ShownRace* other = race.bench.compared())
        return where + "; dotted behind: " + machine_text(other->race.machine) + ", " +
               other->race.date.substr(0, 10);
    if (race.plot() == RacePlot::kSpeedUp)
        return "medians over those of naive, at the same N and TILE; " + where;
    if (race.plot() == RacePlot::kBandwidth)
        return "GB/s if each matrix moved once; " + where + "; 4 (MK + KN + MN) bytes / time";
    if (race.plot() == RacePlot::kTime) return where + "; microseconds of a launch, medians";
    if (!race.of_products())
        return where + "; compulsory traffic: each array read or written once; medians";
    return where + "; float32, random data, medians";
}

}  // namespace

void draw_race_plot(const RaceContext& race, const Rect& card) {
    const CardTitle title = draw_race_title(race, card, title_of_plot(race), caption_of(race),
                                            line_chooser_width(race));
    draw_line_chooser(race, title.controls);
    if (race.sizes().size() == 1 && race.of_products()) return draw_race_bars(race, title.room);
    PlotOverN(race, title.room).draw();
}

}  // namespace tilereel
