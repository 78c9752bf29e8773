#pragma once
// The roofline plot: its layout, roofs and points (race_roofline.cpp), and its text
// (race_roofline_words.cpp).
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/panels/race/race_views.h"
#include "app/ui/plot_labels.h"

namespace tilereel {

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
    ImVec2 at{};
};

class Roofline {
  public:
    Roofline(const RaceContext& race, const Rect& room);
    void draw();

  private:
    // Whether the intensity comes from a recording. For a CPU it does not: the traffic of its
    // caches is not recorded.
    [[nodiscard]] bool recorded() const;
    [[nodiscard]] float marker_px() const { return look_.px(14); }
    [[nodiscard]] const Roof& roof() const { return measured_.known() ? measured_ : promised_; }
    [[nodiscard]] const char* unit_text() const;
    [[nodiscard]] bool as_counted(std::uint32_t c) const;
    std::optional<double> intensity_of(std::uint32_t c) const;
    void place();
    void lay_out(const Rect& room);

    // Raises the top of the y axis to leave room for the text above the highest roof.
    void leave_room_above();
    void draw_roof(const Roof& one, Dash dash, ImU32 color);

    // Writes text at the first of the given places where it covers nothing else.
    void write(const std::string& name, const std::string& words, const TextStyle& style,
               std::span<const ImVec2> middles, Align align);

    // Writes each roof's bandwidth beside its sloping part and its peak beside its level part.
    void draw_roof_words();

    // Places (right ends) for text above and below the level part of a roof, nearest first.
    [[nodiscard]] std::vector<ImVec2> beside_level(const Roof& one) const;

    // Places (right ends) for text at the left of the sloping part, from its middle outwards.
    [[nodiscard]] std::vector<ImVec2> beside_slope(const Roof& one) const;

    // The reference's intensity is unknown, because it was not recorded. So it is drawn as a level
    // line.
    void draw_reference();
    void draw_reference_words();
    [[nodiscard]] std::optional<double> reference_gflops() const;
    [[nodiscard]] const RooflinePoint* focus() const;

    // Draws a line from the focused contender's point up to the roof.
    void draw_allowance() const;

    // Names the focused contender first, then its counterpart, then the others from top to bottom.
    void draw_point_words();

    // In a narrow plot a kernel is named by its number, as in the table: "08 32 pad 1".
    [[nodiscard]] std::string label_of(const Contender& contender) const;
    void name_point(const RooflinePoint& point);
    void draw_point(const RooflinePoint& point);
    [[nodiscard]] static std::string tile_size_text(const Contender& contender);

    // The note below the plot: the GFLOPS that the roof allows the focused contender, and the share
    // of them that it reaches.
    [[nodiscard]] std::string note() const;

    // The intensity of a point comes from a small recording of its kernel. Returns text with the
    // number of recordings already made. Empty if none is missing or none is under way.
    [[nodiscard]] std::string waiting_text() const;
    [[nodiscard]] std::string above_text() const;
    void draw_note() const;

    const RaceContext& race_;
    const Look& look_;
    float px_ = 13;
    Rect room_;
    Roof measured_, promised_;
    std::vector<RooflinePoint> points_;
    PlotArea area_;
    GridStyle grid_;
    LabelPlacer placer_{Rect{}};
    std::size_t note_lines_ = 0;
};

}  // namespace tilereel
