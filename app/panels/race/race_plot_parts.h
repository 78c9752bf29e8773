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
};

// In the unit of the current plot. nullopt if nothing was measured.
[[nodiscard]] std::optional<double> plotted_value(const RaceContext& race, const ShownRace& shown,
                                                  std::uint32_t contender, std::uint32_t size);
[[nodiscard]] std::vector<Level> levels_of(const RaceContext& race);  // highest first

// The names and last values of the lines, stacked at the plot's right and each joined to its line.
// A click shows only that line, or all lines again.
class LineLabels {
  public:
    // A name takes one line if there is no room for two.
    LineLabels(const RaceContext& race, const Rect& room, float px);
    [[nodiscard]] float width() const { return width_; }
    void draw(const Rect& plot, const std::vector<PlottedPoint>& points) const;

  private:
    struct Label;
    [[nodiscard]] std::vector<Label> labels(const Rect& plot,
                                            const std::vector<PlottedPoint>& points) const;
    void draw_label(const Rect& plot, const Label& label, float middle, float height) const;
    [[nodiscard]] std::string name_of(std::uint32_t contender) const;
    [[nodiscard]] float widest_name() const;
    void draw_leader(const Rect& plot, ImVec2 from, ImVec2 to, ImU32 color) const;

    const RaceContext& race_;
    float px_, label_px_, width_ = 0, name_width_ = 0;
    bool two_lines_ = true;
    bool by_number_ = false;  // the names do not fit, so kernel numbers are shown
};

// A card beside the point with its measurements, drawn over everything else. `px`: font size.
void draw_point_card(const RaceContext& race, const PlottedPoint& point, float px);

}  // namespace tilereel
