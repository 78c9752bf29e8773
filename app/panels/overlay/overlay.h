#pragma once
// Windows over the frame: menus below a chip, and cards in the middle of the screen.
#include <string_view>

#include "app/ui/draw/draw.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {

// A menu opened with ImGui::OpenPopup(id). While true, draw its contents and call
// ImGui::EndPopup(); Escape and a click outside close it.
bool begin_menu(const char* id, const Rect& rect);

// Begins a card over `screen`. `dim`: darken everything below it. The card is registered as `id`.
// Always call end_card() or ImGui::End().
void begin_card(const Look& look, const char* id, const Rect& screen, const Rect& card, bool dim,
                WindowFocus focus = WindowFocus::kTake);
[[nodiscard]] Rect centered_card(const Rect& screen, float width, float height);
// Draws the close button. Returns true when it or a point outside the card was clicked.
bool end_card(const Look& look, std::string_view name, const Rect& card);

}  // namespace tilereel
