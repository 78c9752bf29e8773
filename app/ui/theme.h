#pragma once
// Palette and measure of the window: the two themes, and lengths in units of the layout scale.
#include <imgui.h>

#include <cstddef>
#include <cstdint>

namespace tilereel {

enum class Theme : std::uint8_t { kDark, kLight };

// Hue by role. kNone is drawn in ink.
enum class Role : std::uint8_t {
    kNone = 0,
    kA = 1,
    kB = 2,
    kC = 3,
    kWait = 4,
    kConflict = 5,
    kAccent = 6
};

struct Palette {
    ImU32 bg, panel, raised, cell, line, ink, ink2, ink3;
    ImU32 a, a_tint, b, b_tint, c, c_tint;
    ImU32 wait, wait_ink, wait_text;  // wait_text: the same state written on a panel
    ImU32 conflict, conflict_tint, accent, accent_tint;
    ImU32 on;  // text on a solid role, conflict or accent fill
    [[nodiscard]] ImU32 solid(Role role) const;
    [[nodiscard]] ImU32 tint(Role role) const;
};
[[nodiscard]] const Palette& palette(Theme theme);
[[nodiscard]] ImU32 mix(ImU32 from, ImU32 to, float amount);  // amount 0..1, straight sRGB

// A heat map has at most so many steps: so many can be told apart under every colour-vision
// deficiency. Step 0 is the weakest.
inline constexpr std::size_t kMostHeatSteps = 5;
// How much of the role's colour is in the panel's: from a third to all of it.
[[nodiscard]] float heat_share(std::size_t step, std::size_t steps);
[[nodiscard]] ImU32 heat_color(const Palette& colors, Role role, float share);
// Ink or `on`, whichever has more contrast to the fill.
[[nodiscard]] ImU32 text_on(const Palette& colors, ImU32 fill);

// Everything a drawing function needs to know about how to draw. Made once a frame.
struct Look {
    Theme theme = Theme::kDark;
    float scale = 1.0f;   // layout: min(width / 1920, height / 1080) rounded to 0.25, not under 1
    float text = 1.0f;    // the user's text size over the default of 14 px
    bool narrow = false;  // source and inspector share one panel
    double now_seconds = 0;  // for motion; steps by a fixed amount when exporting
    double frame_seconds = 1.0 / 60;
    [[nodiscard]] const Palette& colors() const { return palette(theme); }
    [[nodiscard]] float px(float units) const { return units * scale; }              // lengths
    [[nodiscard]] float font_px(float units) const { return units * scale * text; }  // type
};

}  // namespace tilereel
