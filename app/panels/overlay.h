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

// A card over the dimmed screen, or over a part of it when `dim` is false. Always call end_card().
void begin_card(const Look& look, const char* id, const Rect& screen, const Rect& card, bool dim);
void end_card();

// A labelled value that is a button: "compare off".
bool plain_chip(const Look& look, std::string_view name, const Rect& rect, std::string_view label,
                std::string_view value, bool accent, std::string_view tip);

}  // namespace tilereel
