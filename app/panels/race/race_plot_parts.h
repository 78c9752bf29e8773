#pragma once
// Parts of the plot over N (race_plot.cpp): its values, the names of its lines, and the card of the
// point under the mouse.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/race/race_views.h"

namespace tilereel {

struct PlottedPoint {
    std::uint32_t contender = 0, size = 0;
    double value = 0;
    ImVec2 at{};          // position on the screen
    bool joined = false;  // part of the line; only square sizes are
};

// A horizontal line at a limit of the device.
struct Level {
    double value = 0;
    std::string words;
    bool measured = false;
    [[nodiscard]] LineStyle style(const Look& look) const {
        return {measured ? look.colors().ink2 : look.colors().ink3, Marker::kCross,
                measured ? Dash::kDotted : Dash::kSolid, look.frame()};
    }
};

// In the unit of the current plot. nullopt if nothing was measured.
[[nodiscard]] std::optional<double> plotted_value(const RaceContext& race, const ShownRace& shown,
                                                  std::uint32_t contender, std::uint32_t size);
[[nodiscard]] std::vector<Level> levels_of(const RaceContext& race);  // highest first
[[nodiscard]] std::string value_text(const RaceContext& race, double value);

// The names and last values of the lines and levels, stacked at the plot's right and each joined to
// its line. A click shows only that line, or all lines again.
class LineLabels {
  public:
    LineLabels(const RaceContext& race, const std::vector<Level>& levels, const Rect& room,
               float px);
    [[nodiscard]] float width() const { return width_; }
    void draw(const PlotArea& area, const std::vector<PlottedPoint>& points) const;

  private:
    static constexpr float kLine = 1.35f;  // line height / font size
    struct Label;
    [[nodiscard]] Label label_of(std::uint32_t contender, const Rect& plot,
                                 const std::vector<PlottedPoint>& points) const;
    void draw_label(const Rect& plot, const Label& label, float middle) const;
    [[nodiscard]] std::string name_of(std::uint32_t contender) const;
    [[nodiscard]] float widest_name() const;

    const RaceContext& race_;
    const std::vector<Level>& levels_;
    float px_ = 14, width_ = 0;
    bool by_number_ = false;  // the names do not fit, so kernel numbers are shown
};

// A card beside the point with its measurements, drawn over everything else. `px`: font size.
void draw_point_card(const RaceContext& race, const PlottedPoint& point, float px);

}  // namespace tilereel
