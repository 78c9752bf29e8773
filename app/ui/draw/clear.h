#pragma once
// Draws large opaque rectangles with glClear(). Dear ImGui samples its font atlas and blends for
// every pixel of a filled rectangle; on a software renderer this costs more than the rest of the
// frame.
#include <imgui.h>

#include "app/ui/rect.h"

namespace tilereel {

// Whether the rectangle is large and opaque and has edges on whole pixels. Then glClear() draws the
// same pixels as a fill.
[[nodiscard]] bool is_worth_clearing(const Rect& rect, ImU32 color);
// Queues the clear on `list`, in order with the other draw commands. Does nothing without OpenGL.
void add_clear(ImDrawList* list, const Rect& rect, ImU32 color);
struct QueuedClear {
    Rect rect;
    ImU32 color = 0;
};
// What a draw command of add_clear() clears. nullptr for any other command.
[[nodiscard]] const QueuedClear* queued_clear(const ImDrawCmd& command);
// Called by begin_ui_frame().
void new_frame_of_clears();

}  // namespace tilereel
