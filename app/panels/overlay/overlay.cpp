#include "app/panels/overlay/overlay.h"

#include <algorithm>
#include <cmath>

#include "app/panels/measure.h"
#include "app/ui/widgets/keys.h"
#include "app/ui/widgets/menu.h"

namespace tilereel {

bool begin_menu(const char* id, const Rect& rect) {
    if (!begin_popup(id, rect)) return false;
    claim_keys(id);
    if (std::ranges::find(claimed_keys(id), Key::kEscape, &KeyPress::key) != claimed_keys(id).end())
        ImGui::CloseCurrentPopup();
    return true;
}

void begin_card(const Look& look, const char* id, const Rect& screen, const Rect& card, bool dim,
                WindowFocus focus) {
    begin_plain_window(id, dim ? screen : card, focus);
    const Palette& colors = look.colors();
    register_widget(id, card);
    if (dim) fill_rect(screen, (colors.bg & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 210));
    draw_box(card, dim ? colors.panel : colors.raised, colors.line, look.line(),
             look.card_corner());
}

Rect centered_card(const Rect& screen, float width, float height) {
    return {std::round(screen.center().x - width / 2), std::round(screen.center().y - height / 2),
            std::round(width), std::round(height)};
}

bool end_card(const Look& look, std::string_view name, const Rect& card) {
    const float size = look.px(32) + extra_px(look);
    const bool closed = icon_button(
        look, name, {card.right() - look.wide() - size, card.y + look.wide(), size, size},
        Icon::kClose, false, "Close (Esc)");
    const bool beside = ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered() &&
                        !card.contains(ImGui::GetIO().MousePos);
    ImGui::End();
    return closed || beside;
}

}  // namespace tilereel
