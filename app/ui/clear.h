#pragma once
// Large opaque rectangles, cleared instead of drawn. Dear ImGui samples its font atlas and blends
// for every pixel of a fill, which on a software renderer costs more than all the rest of a frame.
#include <imgui.h>

#include "app/ui/rect.h"

namespace tilereel {

// Opaque, large, and with edges on whole pixels, so that it looks the same either way.
[[nodiscard]] bool is_worth_clearing(const Rect& rect, ImU32 color);
// Queued on `list` in order with the rest; nothing happens where there is no OpenGL.
void add_clear(ImDrawList* list, const Rect& rect, ImU32 color);
struct QueuedClear {
    Rect rect;
    ImU32 color = 0;
};
// What a draw command queued with add_clear() clears; nullptr: another command.
[[nodiscard]] const QueuedClear* queued_clear(const ImDrawCmd& command);
// Called by begin_ui_frame().
void new_frame_of_clears();

}  // namespace tilereel
