#include "app/ui/widgets/widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/ui/widgets/tip.h"

namespace tilereel {
namespace {

// The widget under the mouse, and since when. Its tip appears after a delay.
struct Hover {
    std::string name;
    double since_seconds = 0;
    int last_frame = -1;
    bool clicked = false;  // no tip after a click, which may have opened something there
};
Hover g_hover;

constexpr double kTipDelaySeconds = 0.45;

void track_hover(const Look& look, std::string_view name, const Rect& rect, std::string_view tip) {
    const int frame = ImGui::GetFrameCount();
    // A test's next window counts its frames from 0 again.
    const bool seen = frame == g_hover.last_frame || frame == g_hover.last_frame + 1;
    if (g_hover.name != name || !seen) {
        g_hover.name = name;
        g_hover.since_seconds = look.now_seconds;
        g_hover.clicked = false;
    }
    g_hover.last_frame = frame;
    g_hover.clicked |= ImGui::IsMouseDown(0) || ImGui::IsMouseReleased(0);
    if (g_hover.clicked) return;
    if (!tip.empty() && look.now_seconds - g_hover.since_seconds >= kTipDelaySeconds)
        draw_tip(look, rect, tip);
}

struct ButtonColors {
    ImU32 fill, mark;
};
ButtonColors button_colors(const Palette& colors, const Interaction& touch, bool pressed) {
    const ImU32 base = pressed ? colors.accent : colors.raised;
    const ImU32 fill = touch.hovered ? mix(base, colors.ink, touch.held ? 0.2f : 0.1f) : base;
    return {fill, pressed ? colors.on : colors.ink};
}

}  // namespace

Rect seen_part(const Rect& rect) {
    const ImVec2 low = draw_list()->GetClipRectMin(), high = draw_list()->GetClipRectMax();
    const ImVec2 from{std::clamp(rect.x, low.x, high.x), std::clamp(rect.y, low.y, high.y)};
    return {from.x, from.y, std::clamp(rect.right(), low.x, high.x) - from.x,
            std::clamp(rect.bottom(), low.y, high.y) - from.y};
}

void register_seen(std::string_view name, const Rect& rect) {
    if (const Rect seen = seen_part(rect); seen.h > 1) register_widget(name, seen);
}

Interaction interact(const Look& look, std::string_view name, const Rect& whole,
                     std::string_view tip, const SubmitItem& submit) {
    if (measures()) return {};
    const Rect rect = seen_part(whole);
    if (rect.w <= 1 || rect.h <= 1) return {};
    register_widget(name, rect);
    ImGui::PushID(name.data(), name.data() + name.size());
    ImGui::SetCursorScreenPos(rect.min());
    Interaction touch;
    const ImVec2 size{rect.w, rect.h};
    touch.clicked = submit ? submit(size) : ImGui::InvisibleButton("touch", size);
    touch.hovered = ImGui::IsItemHovered();
    touch.held = ImGui::IsItemActive();
    ImGui::PopID();
    if (touch.hovered) track_hover(look, name, rect, tip);
    return touch;
}

bool icon_button(const Look& look, std::string_view name, const Rect& rect, Icon icon, bool pressed,
                 std::string_view tip) {
    const Interaction touch = interact(look, name, rect, tip);
    const ButtonColors colors = button_colors(look.colors(), touch, pressed);
    fill_rect(rect, colors.fill, look.corner());
    const float size = std::min(std::min(rect.w, rect.h) * 0.45f, look.px(18) * look.text);
    draw_icon(icon, rect.center(), size, colors.mark, look.px(2.2f));
    return touch.clicked;
}

bool text_button(const Look& look, std::string_view name, const Rect& rect, std::string_view label,
                 bool pressed, std::string_view tip) {
    const Interaction touch = interact(look, name, rect, tip);
    const ButtonColors colors = button_colors(look.colors(), touch, pressed);
    fill_rect(rect, colors.fill, look.corner());
    draw_text(rect.center(), label,
              {Face::kSemiBold, look.font_px(15), colors.mark, Align::kCenter});
    return touch.clicked;
}

bool toggle_button(const Look& look, std::string_view name, const Rect& rect,
                   std::string_view label, float px, bool on, std::string_view tip) {
    const Palette& colors = look.colors();
    const Interaction touch = interact(look, name, rect, tip);
    const ImU32 base = on ? colors.accent_tint : colors.raised;
    fill_rect(rect, touch.hovered ? mix(base, colors.ink, 0.1f) : base, look.corner());
    if (on) stroke_rect(rect, colors.accent, look.frame(), look.corner());
    const TextStyle style{Face::kSemiBold, px, on ? colors.ink : colors.ink2, Align::kCenter};
    draw_text(rect.center(), label, shrunk(style, label, rect.w - look.gap()));
    return touch.clicked;
}

float button_width(const Look& look, std::string_view label, float sides) {
    return text_width(label, Face::kSemiBold, look.font_px(15)) + look.px(sides);
}

bool ButtonRow::from_left(std::string_view name, std::string_view label, bool pressed,
                          std::string_view tip) {
    const Rect place{room_.x, room_.y, button_width(look_, label), room_.h};
    room_.x += place.w + look_.gap();
    room_.w -= place.w + look_.gap();
    return text_button(look_, name, place, label, pressed, tip);
}

bool ButtonRow::from_right(std::string_view name, std::string_view label, bool pressed,
                           std::string_view tip) {
    const float width = button_width(look_, label);
    const Rect place{room_.right() - width, room_.y, width, room_.h};
    room_.w -= width + look_.gap();
    return text_button(look_, name, place, label, pressed, tip);
}

bool whole_slider(const Look& look, std::string_view name, const Rect& rect, int& value, int least,
                  int most, std::string_view tip) {
    if (measures()) return false;
    register_widget(name, rect);
    ImGui::PushID(name.data(), name.data() + name.size());
    ImGui::SetCursorScreenPos(rect.min());
    ImGui::SetNextItemWidth(rect.w);
    const float sides = std::max(0.0f, (rect.h - ImGui::GetFontSize()) / 2);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.tight(), sides});
    const bool moved = ImGui::SliderInt("##slider", &value, least, most, "",
                                        ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput);
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive() && !tip.empty()) draw_tip(look, rect, tip);
    ImGui::PopStyleVar();
    ImGui::PopID();
    return moved;
}

void begin_plain_window(const char* id, const Rect& place, WindowFocus focus) {
    const bool leaves = focus == WindowFocus::kLeave;
    ImGui::SetNextWindowPos(place.min());
    ImGui::SetNextWindowSize(place.size());
    ImGui::Begin(id, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                     (leaves ? ImGuiWindowFlags_NoFocusOnAppearing : 0));
    // Dear ImGui brings a window to the front when it gets the focus. Menus stay above.
    if (leaves && ImGui::IsWindowAppearing() &&
        !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
        ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
}

int segmented(const Look& look, std::string_view name, const Rect& rect,
              std::span<const std::string_view> labels, int current, std::string_view tip) {
    const Palette& colors = look.colors();
    fill_rect(rect, colors.raised, look.corner());
    // Each segment is as wide as its label plus an equal share of the remaining width.
    const float px = look.font_px(15);
    float words = 0;
    for (const std::string_view label : labels) words += text_width(label, Face::kRegular, px);
    const float share = (rect.w - words) / static_cast<float>(labels.size());
    float x = rect.x;
    int clicked = -1;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const float width = text_width(labels[i], Face::kRegular, px) + share;
        const Rect part{std::round(x), rect.y, std::round(x + width) - std::round(x), rect.h};
        x += width;
        const bool chosen = static_cast<int>(i) == current;
        const Interaction touch =
            interact(look, std::string(name) + "." + std::string(labels[i]), part, tip);
        const Rect inner = part.inset(look.hair());
        if (chosen) {
            draw_box(inner, colors.accent_tint, colors.accent, look.frame(), look.px(5));
        } else if (touch.hovered) {
            fill_rect(inner, mix(colors.raised, colors.ink, 0.1f), look.px(5));
        }
        draw_text(part.center(), labels[i],
                  {Face::kRegular, px, chosen ? colors.ink : colors.ink2, Align::kCenter});
        if (touch.clicked) clicked = static_cast<int>(i);
    }
    register_widget(name, rect);
    return clicked;
}

}  // namespace tilereel
