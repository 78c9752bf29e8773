#pragma once
// What a lecturer lays over the window: a magnifier, a spotlight, a pen, a curtain.
#include <vector>

#include "app/panels/panels.h"
#include "app/ui/magnifier.h"

namespace tilereel {

// The pen's strokes, as shares of the window's width and height: they stay in place when its size
// changes.
struct PresenterMemory {
    std::vector<std::vector<ImVec2>> strokes;
    bool drawing = false;
    Magnifier magnifier;
};

// Whether the pointer belongs to a tool, so that nothing else reacts to it.
[[nodiscard]] bool takes_pointer(const ViewState& view);
// Draws the tools over everything else. `pointer`: in pixels.
void draw_presenter(const Look& look, const Rect& screen, const ViewState& view, ImVec2 pointer,
                    PresenterMemory& memory);

}  // namespace tilereel
