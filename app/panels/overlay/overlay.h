#pragma once
// Windows that lie over the frame: menus below a chip, and cards in the middle of the screen.
#include <string_view>

#include "app/ui/draw.h"
#include "app/ui/widgets.h"

namespace tilereel {

// A menu opened with ImGui::OpenPopup(id). While true, draw its contents and call end_menu();
// Escape and a click outside close it.
bool begin_menu(const Look& look, const char* id, const Rect& rect);
void end_menu();

// A card over the dimmed screen, or over a part of it when `dim` is false; registered as `id`.
// Always call end_card().
void begin_card(const Look& look, const char* id, const Rect& screen, const Rect& card, bool dim);
void end_card();
[[nodiscard]] Rect centered_card(const Rect& screen, float width, float height);
// True when its close button, or something beside it, was clicked.
bool card_closed(const Look& look, std::string_view name, const Rect& card);

}  // namespace tilereel
