#pragma once
// Large opaque rectangles, cleared instead of drawn. Dear ImGui samples its font atlas and blends
// for every pixel of a fill, which on a software renderer costs more than all the rest of a frame.
#include <imgui.h>

#include "app/ui/rect.h"

namespace tilereel {

// Whether it is opaque and large, and has edges on whole pixels: then it looks the same cleared or
// drawn.
[[nodiscard]] bool is_worth_clearing(const Rect& rect, ImU32 color);
// Queues the clear on `list`, in order with the other draw commands. Does nothing without OpenGL.
void add_clear(ImDrawList* list, const Rect& rect, ImU32 color);
struct QueuedClear {
    Rect rect;
    ImU32 color = 0;
};
// What a draw command of add_clear() clears; nullptr: the command is no clear.
[[nodiscard]] const QueuedClear* queued_clear(const ImDrawCmd& command);
// Called by begin_ui_frame().
void new_frame_of_clears();

}  // namespace tilereel
