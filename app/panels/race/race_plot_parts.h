#pragma once
// Parts of the plot over N (race_plot.cpp): its values, the names of its lines, and the card of the
// point under the mouse.
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

// The watched product's estimated speed, where the race has not measured it: hollow.
struct EstimatedPoint {
    double edge = 0;                      // edge_of() its size
    double value = 0, low = 0, high = 0;  // GFLOPS
    std::string name;
};
[[nodiscard]] std::optional<EstimatedPoint> estimated_point(const RaceContext& race);
void draw_estimated_point(const RaceContext& race, const PlotArea& area,
                          const EstimatedPoint& point, float px);

// The contender's value at a size, in the unit of the current plot. nullopt if none was measured.
[[nodiscard]] std::optional<double> plotted_value(const RaceContext& race, const ShownRace& shown,
                                                  std::uint32_t contender, std::uint32_t size);
[[nodiscard]] std::vector<Level> levels_of(const RaceContext& race);  // highest first
[[nodiscard]] std::string value_text(const RaceContext& race, double value);

// The names and last values of the lines and levels, highest first. A click shows only that line,
// or all lines again.
class LineNames {
  public:
    LineNames(const RaceContext& race, const std::vector<Level>& levels,
              const std::vector<PlottedPoint>& points, const Rect& room);
    [[nodiscard]] float width() const { return table_.width(); }
    void draw(const Rect& room);

  private:
    struct Name {
        std::optional<std::uint32_t> contender;  // nullopt: a level
        LineStyle style;
        std::string words;
        double value = -1;  // negative: none
    };
    static double last_value(const std::vector<PlottedPoint>& points, std::uint32_t contender);
    [[nodiscard]] std::vector<TableCell> cells_of(const Name& name) const;
    void draw_name(const Name& name, const Rect& area) const;

    const RaceContext& race_;
    std::vector<Name> names_;
    ScrollTable table_;
};

// The values of a race of one size, as bars.
void draw_race_bars(const RaceContext& race, const Rect& room);
// A ring around the mark of the contender that runs. It grows and fades once a second.
void draw_pulse(const RaceContext& race, std::uint32_t contender, ImVec2 at);
// A card beside the point with its measurements, drawn over everything else. `px`: font size.
void draw_point_card(const RaceContext& race, const PlottedPoint& point, float px);

}  // namespace tilereel
