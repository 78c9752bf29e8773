#pragma once
// The parts of the plot over N (race_plot.cpp): what it shows, the lines' names beside it, and the
// card of the point under the mouse.
#include <optional>
#include <string>
#include <vector>

#include "app/panels/race/race_views.h"

namespace tilereel {

struct PlottedPoint {
    std::uint32_t contender = 0, size = 0;
    double value = 0;
    ImVec2 at{};          // on the screen
    bool joined = false;  // square sizes only
};

// A horizontal line: what the device can do.
struct Level {
    double value = 0;
    std::string words;
    bool measured = false;
};

// In the unit of the plot chosen; nullopt where nothing was measured.
[[nodiscard]] std::optional<double> plotted_value(const RaceContext& race, const ShownRace& shown,
                                                  std::uint32_t contender, std::uint32_t size);
[[nodiscard]] std::vector<Level> levels_of(const RaceContext& race);  // highest first

// The lines' names and last values, one under the other at the plot's right, each joined to its
// line; a click shows that line alone, or all as before.
class LineLabels {
  public:
    // Names on one line where two would not fit.
    LineLabels(const RaceContext& race, const Rect& room, float px);
    [[nodiscard]] float width() const { return width_; }
    void draw(ImDrawList* list, const Rect& plot, const std::vector<PlottedPoint>& points) const;

  private:
    struct Label;
    [[nodiscard]] std::vector<Label> labels(const Rect& plot,
                                            const std::vector<PlottedPoint>& points) const;
    void draw_label(ImDrawList* list, const Rect& plot, const Label& label, float middle,
                    float height) const;
    [[nodiscard]] std::string name_of(std::uint32_t contender) const;
    [[nodiscard]] float widest_name() const;
    void draw_leader(ImDrawList* list, const Rect& plot, ImVec2 from, ImVec2 to, ImU32 color) const;

    const RaceContext& race_;
    float px_, label_px_, width_ = 0, name_width_ = 0;
    bool two_lines_ = true;
    bool by_number_ = false;  // there is no room for the names
};

// What is known of a point, over everything else beside it.
void draw_point_card(const RaceContext& race, const PlottedPoint& point, float px);

}  // namespace tilereel
