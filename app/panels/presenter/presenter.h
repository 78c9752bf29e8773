#pragma once
// Tools of a presenter, drawn over the window: a magnifier, a spotlight, a pen, a curtain.
#include <vector>

#include "app/panels/panels.h"
#include "app/ui/cells/magnifier.h"

namespace tilereel {

// Points of the pen's strokes are stored as shares of the window's width and height, so that they
// follow a resize.
struct PresenterMemory {
    std::vector<std::vector<ImVec2>> strokes;
    bool drawing = false;
    Magnifier magnifier;
    ImVec2 pointer{};    // the place of the pointer, and since when it has been there
    double since = 0;    // Look::now_seconds
    bool waits = false;  // the pointer rests, but is not hidden yet
};

// Whether a tool uses the pointer, so that nothing else may react to it.
[[nodiscard]] bool takes_pointer(const ViewState& view);
// Draws the tools over everything else. `pointer`: in pixels.
void draw_presenter(const Look& look, const Rect& screen, const ViewState& view, ImVec2 pointer,
                    PresenterMemory& memory);

}  // namespace tilereel
