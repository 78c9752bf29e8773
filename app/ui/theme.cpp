#include "app/ui/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tilereel {
namespace {

constexpr Palette kDark = {
    .bg = rgb(0x0A0D12),
    .panel = rgb(0x12161D),
    .raised = rgb(0x1C222C),
    .cell = rgb(0x1F2631),
    .line = rgb(0x2E3744),
    .ink = rgb(0xF3F6FA),
    .ink2 = rgb(0xAEB8C6),
    .ink3 = rgb(0x8591A1),
    .a = rgb(0x438FFD),
    .a_tint = rgb(0x1F3759),
    .b = rgb(0xEB9643),
    .b_tint = rgb(0x4D3927),
    .c = rgb(0x60E6BD),
    .c_tint = rgb(0x274E48),
    .wait = rgb(0xFFF11F),
    .wait_ink = rgb(0x0A0D12),
    .wait_text = rgb(0xFFF11F),
    .conflict = rgb(0xEB406F),
    .conflict_tint = rgb(0x4D2133),
    .accent = rgb(0xEAB7FA),
    .accent_tint = rgb(0x3D3649),
    .on = rgb(0x0A0D12),
};

constexpr Palette kLight = {
    .bg = rgb(0xE3E7ED),
    .panel = rgb(0xFFFFFF),
    .raised = rgb(0xEEF1F5),
    .cell = rgb(0xEDF0F4),
    .line = rgb(0xBFC7D2),
    .ink = rgb(0x0E131A),
    .ink2 = rgb(0x3E4957),
    .ink3 = rgb(0x5A6675),
    .a = rgb(0x0063E3),
    .a_tint = rgb(0xD4E4FA),
    .b = rgb(0xBC550A),
    .b_tint = rgb(0xF4E2D5),
    .c = rgb(0x4C7C69),
    .c_tint = rgb(0xE1E9E6),
    .wait = rgb(0xE8C81C),
    .wait_ink = rgb(0x0E131A),
    .wait_text = rgb(0x7A5A00),
    .conflict = rgb(0x960037),
    .conflict_tint = rgb(0xEDD4DD),
    .accent = rgb(0x6C1465),
    .accent_tint = rgb(0xEDE3ED),
    .on = rgb(0xFFFFFF),
};

}  // namespace

const Palette& palette(Theme theme) { return theme == Theme::kDark ? kDark : kLight; }

ImU32 Palette::solid(ColorRole role) const {
    static constexpr std::array<ImU32 Palette::*, 7> kByRole = {
        &Palette::ink,  &Palette::a,        &Palette::b,     &Palette::c,
        &Palette::wait, &Palette::conflict, &Palette::accent};
    return this->*kByRole[static_cast<std::size_t>(role)];
}

ImU32 Palette::tint(ColorRole role) const {
    if (role == ColorRole::kWait) return mix(panel, wait, this == &kDark ? 0.27f : 0.17f);
    static constexpr std::array<ImU32 Palette::*, 7> kByRole = {
        &Palette::cell, &Palette::a_tint,        &Palette::b_tint,     &Palette::c_tint,
        nullptr,        &Palette::conflict_tint, &Palette::accent_tint};
    return this->*kByRole[static_cast<std::size_t>(role)];
}

ImU32 mix(ImU32 from, ImU32 to, float amount) {
    amount = std::clamp(amount, 0.0f, 1.0f);
    ImU32 mixed = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const float a = static_cast<float>((from >> shift) & 0xff);
        const float b = static_cast<float>((to >> shift) & 0xff);
        mixed |= static_cast<ImU32>(std::lround(a + (b - a) * amount)) << shift;
    }
    return mixed;
}

float heat_share(std::size_t step, std::size_t steps) {
    constexpr float kLeast = 0.34f;
    if (steps <= 1) return 1;
    return kLeast + (1 - kLeast) * static_cast<float>(step) / static_cast<float>(steps - 1);
}

ImU32 heat_color(const Palette& colors, ColorRole role, float share) {
    return mix(colors.panel, colors.solid(role), share);
}

namespace {

// WCAG 2.1, "relative luminance".
float luminance(ImU32 color) {
    constexpr std::array<float, 3> kShares = {0.2126f, 0.7152f, 0.0722f};
    float sum = 0;
    for (std::size_t i = 0; i < kShares.size(); ++i) {
        const float c = static_cast<float>((color >> (8 * i)) & 0xff) / 255;
        sum += kShares[i] * (c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f));
    }
    return sum;
}

float contrast(ImU32 a, ImU32 b) {
    const float first = luminance(a) + 0.05f, second = luminance(b) + 0.05f;
    return std::max(first, second) / std::min(first, second);
}

}  // namespace

ImU32 text_on(const Palette& colors, ImU32 fill) {
    return contrast(colors.ink, fill) >= contrast(colors.on, fill) ? colors.ink : colors.on;
}

float Look::glide(float from, float to) const {
    constexpr double kSeconds = 0.08;
    if (std::abs(to - from) < 0.05f) return to;
    return from + static_cast<float>(1 - std::exp(-frame_seconds / kSeconds)) * (to - from);
}

void style_imgui(const Look& look) {
    const Palette& colors = look.colors();
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowPadding = {0, 0};
    style.WindowBorderSize = 0;
    style.WindowMinSize = {1, 1};
    // Tooltips have WindowRounding.
    style.WindowRounding = style.PopupRounding = style.FrameRounding = look.corner();
    style.PopupBorderSize = look.line();
    style.GrabRounding = look.tight();
    style.GrabMinSize = look.pad();
    style.ScrollbarRounding = look.hair();
    style.ScrollbarSize = look.px(4) + 6;  // Dear ImGui draws the bar 3 pixels inside it
    style.ItemSpacing = {0, 0};
    style.ItemInnerSpacing = {0, 0};
    const std::pair<ImGuiCol, ImU32> all[] = {
        {ImGuiCol_PopupBg, colors.panel},
        {ImGuiCol_Border, colors.line},
        {ImGuiCol_FrameBg, colors.raised},
        {ImGuiCol_FrameBgHovered, mix(colors.raised, colors.ink, 0.08f)},
        {ImGuiCol_FrameBgActive, mix(colors.raised, colors.ink, 0.12f)},
        {ImGuiCol_SliderGrab, colors.accent},
        {ImGuiCol_SliderGrabActive, colors.accent},
        {ImGuiCol_TextSelectedBg, mix(colors.raised, colors.accent, 0.4f)},
        // The rows of menus and the words of tabs have marks of their own.
        {ImGuiCol_HeaderHovered, 0},
        {ImGuiCol_HeaderActive, 0},
        {ImGuiCol_Tab, 0},
        {ImGuiCol_TabHovered, 0},
        {ImGuiCol_TabActive, 0},
        {ImGuiCol_TabUnfocused, 0},
        {ImGuiCol_TabUnfocusedActive, 0},
        {ImGuiCol_ScrollbarBg, 0},
        {ImGuiCol_ScrollbarGrab, colors.ink3},
        {ImGuiCol_ScrollbarGrabHovered, colors.ink2},
        {ImGuiCol_ScrollbarGrabActive, colors.ink},
    };
    for (const auto& [part, color] : all)
        style.Colors[part] = ImGui::ColorConvertU32ToFloat4(color);
}

}  // namespace tilereel
