// The race of one size: a bar for each contender instead of a point, the fastest first.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/panel_table.h"
#include "app/panels/race/race_plot_parts.h"
#include "app/ui/draw/plot.h"

namespace tilereel {
namespace {

// A level that is higher than this many times the longest bar is left out.
constexpr double kMostOfLongest = 3;

class RaceBars {
  public:
    RaceBars(const RaceContext& race, const Rect& room)
        : race_(race),
          look_(race.look),
          px_(race.type(14)),
          room_(room),
          table_(look_, {px_, 1.7f, 3},
                 {{"", Align::kLeft, 2 * px_}, {"", Align::kRight, 0, true}}) {
        collect();
    }

    void draw() {
        register_widget("race.plot", room_);
        static TableScroll none;  // a picture does not scroll
        table_.draw(room_, race_.memory != nullptr ? race_.memory->names : none,
                    {.row = [&](std::size_t row, const Rect& area) { draw_row(bars_[row], area); },
                     .cell =
                         [&](std::size_t row, std::size_t column, const Rect& area) {
                             if (column == 1) draw_bar(bars_[row], area);
                         }});
        if (hovered_) draw_point_card(race_, *hovered_, px_);
    }

  private:
    struct Bar {
        std::optional<std::uint32_t> contender;  // nullopt: a level of the device
        std::string name;
        LineStyle style;
        double value = -1;  // negative: none
    };

    void collect() {
        for (std::uint32_t c = 0; c < race_.contenders().size(); ++c) {
            if (race_.hidden(c)) continue;
            const auto value = plotted_value(race_, *race_.shown, c, 0);
            bars_.push_back(
                {c, short_name(race_.contenders()[c]), race_.styles[c], value.value_or(-1)});
            most_ = std::max(most_, bars_.back().value);
        }
        const double longest = most_;
        for (const Level& level : levels_of(race_)) {
            if (level.value > kMostOfLongest * longest) continue;
            bars_.push_back({{}, level.words, level.style(look_), level.value});
            most_ = std::max(most_, level.value);
        }
        std::ranges::stable_sort(bars_, std::ranges::greater{}, &Bar::value);
        for (const Bar& bar : bars_) {
            const std::string value = words_of(bar);
            values_ = std::max(values_, text_width(value, Face::kMonoBold, px_));
            const bool focus = bar.contender && bar.contender == race_.focus;
            table_.add({{bar.name, focus ? Face::kSemiBold : Face::kRegular,
                         bar.contender ? race_.colors().ink : race_.colors().ink2},
                        {value, bar.value < 0 ? Face::kRegular : Face::kMonoBold,
                         bar.value < 0 ? race_.colors().ink3 : race_.colors().ink}});
        }
    }

    // The value, or why there is none.
    [[nodiscard]] std::string words_of(const Bar& bar) const {
        if (bar.value >= 0) return value_text(race_, bar.value);
        return std::string(outcome_word(race_.shown->figures.entries[*bar.contender][0]));
    }

    void draw_row(const Bar& bar, const Rect& area) {
        const ImVec2 at{area.x + 1.2f * px_, area.center().y};
        if (!bar.contender) {
            draw_dashed(
                std::array{ImVec2{at.x - 0.7f * px_, at.y}, ImVec2{at.x + 0.7f * px_, at.y}},
                bar.style.color, bar.style.width, bar.style.dash);
            return;
        }
        const Interaction touch =
            interact(look_, "race.bar." + std::to_string(*bar.contender), area, "");
        const auto& now = race_.shown->figures.now;
        const bool runs =
            now && now->doing != RaceNow::Doing::kWarmsUp && now->contender == *bar.contender;
        if (touch.hovered)
            fill_rect(area, race_.colors().raised, look_.px(4));
        else if (runs)
            fill_rect(area, race_.colors().accent_tint, look_.px(4));
        draw_marker(bar.style.marker, at, std::min(look_.px(13), px_), bar.style.color,
                    race_.colors().panel);
        if (runs) draw_pulse(race_, *bar.contender, at);
        if (touch.hovered && bar.value >= 0)
            hovered_ = PlottedPoint{*bar.contender, 0, bar.value, area.center()};
        if (touch.clicked) race_.replay(race_.contenders()[*bar.contender]);
    }

    void draw_bar(const Bar& bar, const Rect& area) const {
        if (bar.value < 0 || most_ <= 0) return;
        const float longest = area.w - values_ - 2.5f * px_;
        const float height = std::min(0.6f * area.h, 1.4f * px_);
        const Rect full{area.x + 0.6f * px_, area.center().y - height / 2,
                        std::max(look_.hair(), longest * static_cast<float>(bar.value / most_)),
                        height};
        if (!bar.contender) return stroke_rect(full, bar.style.color, look_.frame(), look_.px(3));
        register_widget("race.bar.length." + std::to_string(*bar.contender), full);
        fill_rect(full,
                  race_.strong(*bar.contender)
                      ? bar.style.color
                      : mix(race_.colors().panel, race_.colors().ink3, 0.6f),
                  look_.px(3));
        draw_compared(bar, full, longest);
    }

    // The value of the same contender in the compared race: a line across the bar.
    void draw_compared(const Bar& bar, const Rect& full, float longest) const {
        const ShownRace* other = race_.bench.compared();
        if (other == nullptr) return;
        const auto c = find_contender(other->race.request, race_.contenders()[*bar.contender]);
        const auto& sizes = other->race.request.sizes;
        const auto s = std::ranges::find(sizes, race_.sizes().front());
        if (!c || s == sizes.end()) return;
        const auto value =
            plotted_value(race_, *other, *c, static_cast<std::uint32_t>(s - sizes.begin()));
        if (!value || *value > most_) return;
        const float x = full.x + longest * static_cast<float>(*value / most_);
        const float over = look_.px(4);
        draw_dashed(std::array{ImVec2{x, full.y - over}, ImVec2{x, full.bottom() + over}},
                    race_.colors().ink, look_.hair(), Dash::kDotted);
    }

    const RaceContext& race_;
    const Look& look_;
    float px_;
    Rect room_;
    ScrollTable table_;
    std::vector<Bar> bars_;
    double most_ = 0;
    float values_ = 0;  // width of the widest value, pixels
    std::optional<PlottedPoint> hovered_;
};

}  // namespace

void draw_race_bars(const RaceContext& race, const Rect& room) { RaceBars(race, room).draw(); }

}  // namespace tilereel
