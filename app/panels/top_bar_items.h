#pragma once
// The controls of the top bar, each drawn wherever it finds a place: in the bar or in its menu.
#include <array>

#include "app/panels/memory.h"
#include "app/panels/overlay.h"

namespace tilereel {

enum class BarItem {
    kKernel,
    kExtents,
    kTile,
    kPad,
    kGpu,
    kRace,  // Race mode only, as is the next; those above are the replay's
    kRaceScale,
    kTheme,
    kText,
    kFull,
    kHelp
};

struct Bar {
    const Look& look;
    const Workbench& workbench;
    PanelMemory& memory;
    float control = 0;        // height of a control
    bool short_form = false;  // kernel without a caption, the GPU without its number
    Commands commands;
};

[[nodiscard]] float width_of(const Bar& bar, BarItem item);
void draw_item(Bar& bar, BarItem item, const Rect& rect);
// What the menu writes beside a control that has no words of its own.
[[nodiscard]] const char* words_of(BarItem item);

}  // namespace tilereel
