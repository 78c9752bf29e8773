#pragma once
// The colours of the two themes, and lengths in units of the layout scale.
#include <imgui.h>

#include <cstddef>
#include <cstdint>

namespace tilereel {

enum class Theme : std::uint8_t { kDark, kLight };

// What a colour stands for. kNone is drawn in ink.
enum class ColorRole : std::uint8_t {
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
    ImU32 wait, wait_ink, wait_text;  // wait_text: text colour for the same state on a panel
    ImU32 conflict, conflict_tint, accent, accent_tint;
    ImU32 on;  // text on a solid role, conflict or accent fill
    [[nodiscard]] ImU32 solid(ColorRole role) const;
    [[nodiscard]] ImU32 tint(ColorRole role) const;
};
[[nodiscard]] const Palette& palette(Theme theme);
[[nodiscard]] constexpr ImU32 rgb(std::uint32_t hex) {  // 0xRRGGBB
    return IM_COL32((hex >> 16) & 0xff, (hex >> 8) & 0xff, hex & 0xff, 0xff);
}
[[nodiscard]] ImU32 mix(ImU32 from, ImU32 to, float amount);  // linear in sRGB; amount: 0..1

// The largest number of steps in a heat map. More could not be distinguished under every
// colour-vision deficiency. Step 0 is the lightest use of the colour.
inline constexpr std::size_t kMostHeatSteps = 5;
// The share of the role's colour that is mixed with the panel's: a third for step 0, 1 for the
// last.
[[nodiscard]] float heat_share(std::size_t step, std::size_t steps);
[[nodiscard]] ImU32 heat_color(const Palette& colors, ColorRole role, float share);
// Ink or `on`: the one with more contrast to the fill.
[[nodiscard]] ImU32 text_on(const Palette& colors, ImU32 fill);

// How to draw: theme, scales and time. Made once for each frame.
struct Look {
    Theme theme = Theme::kDark;
    float scale = 1.0f;   // layout: min(width / 1920, height / 1080) rounded to 0.25, not under 1
    float text = 1.0f;    // the user's text size divided by the default of 14 px
    bool narrow = false;  // the source and inspector panels share one panel with tabs
    bool tips = true;     // false while presenting
    double now_seconds = 0;  // time for animations; advances by a fixed step when exporting
    double frame_seconds = 1.0 / 60;
    [[nodiscard]] const Palette& colors() const { return palette(theme); }
    [[nodiscard]] float px(float units) const { return units * scale; }              // lengths
    [[nodiscard]] float font_px(float units) const { return units * scale * text; }  // type
    // The position, after one frame, of something that moves from `from` to `to`. Two thirds of the
    // way take 80 ms.
    [[nodiscard]] float glide(float from, float to) const;
    // Distances, from the smallest to the largest, in pixels.
    [[nodiscard]] float hair() const { return px(2); }
    [[nodiscard]] float tight() const { return px(4); }
    [[nodiscard]] float snug() const { return px(6); }
    [[nodiscard]] float gap() const { return px(8); }  // between two parts
    [[nodiscard]] float wide() const { return px(12); }
    [[nodiscard]] float pad() const { return px(16); }  // between a panel's edge and its contents
    [[nodiscard]] float margin() const { return px(24); }
    // The corners of controls and of cards, and the width of a line and of a frame around what is
    // chosen.
    [[nodiscard]] float corner() const { return px(6); }
    [[nodiscard]] float card_corner() const { return px(10); }
    [[nodiscard]] float line() const { return px(1); }
    [[nodiscard]] float frame() const { return px(1.5f); }
};

// Gives Dear ImGui's own parts (popups, menu rows, tabs, tooltips, text fields, scroll bars,
// sliders) the look. Call it in each frame before the first window.
void style_imgui(const Look& look);

}  // namespace tilereel
