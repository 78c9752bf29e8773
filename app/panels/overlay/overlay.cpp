#include "app/panels/overlay/overlay.h"

#include <algorithm>
#include <cmath>

#include "app/panels/measure.h"
#include "app/ui/menu.h"

namespace tilereel {
namespace {

constexpr ImGuiWindowFlags kStill = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoSavedSettings |
                                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoTitleBar;

// Claims all keys for the open menu. Returns whether Escape was pressed.
bool escape_pressed(std::string_view menu) {
    claim_keys(menu);
    return std::ranges::any_of(claimed_keys(menu),
                               [](const KeyPress& press) { return press.key == Key::kEscape; });
}

}  // namespace

bool begin_menu(const char* id, const Rect& rect) {
    const bool open = begin_popup(id, rect);
    if (open && escape_pressed(id)) ImGui::CloseCurrentPopup();
    return open;
}

void end_menu() { ImGui::EndPopup(); }

void begin_card(const Look& look, const char* id, const Rect& screen, const Rect& card, bool dim) {
    const Rect window = dim ? screen : card;
    ImGui::SetNextWindowPos(window.min());
    ImGui::SetNextWindowSize({window.w, window.h});
    ImGui::Begin(id, nullptr, kStill | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
    const Palette& colors = look.colors();
    register_widget(id, card);
    if (dim) fill_rect(screen, (colors.bg & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 210));
    draw_box(card, dim ? colors.panel : colors.raised, colors.line, look.line(),
             look.card_corner());
}

void end_card() { ImGui::End(); }

Rect centered_card(const Rect& screen, float width, float height) {
    return {std::round(screen.center().x - width / 2), std::round(screen.center().y - height / 2),
            std::round(width), std::round(height)};
}

bool card_closed(const Look& look, std::string_view name, const Rect& card) {
    const float size = look.px(32) + extra_px(look);
    const bool closed = icon_button(
        look, name, {card.right() - look.wide() - size, card.y + look.wide(), size, size},
        Icon::kClose, false, "Close (Esc)");
    const bool beside = ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered() &&
                        !card.contains(ImGui::GetIO().MousePos);
    return closed || beside;
}

}  // namespace tilereel
