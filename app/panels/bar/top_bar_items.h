#pragma once
// The controls of the top bar, each drawn wherever it finds a place: in the bar or in its menu.
#include <array>
#include <string>
#include <string_view>

#include "app/panels/memory.h"
#include "app/panels/overlay/overlay.h"
#include "app/ui/menu.h"

namespace tilereel {

enum class BarItem {
    kKernel,
    kProgram,  // this and the next two: in place of the kernel, for a program
    kLaunch,
    kBlock,
    kOpen,
    kExtents,
    kTile,
    kPad,
    kGpu,
    kCompare,
    kRace,  // this and the next: Race mode only; those above: Replay only
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

// Names under which a program's chips are registered (register_widget): chip.program chip.launch
// chip.block (each opens <name>.<row>) bar.open
[[nodiscard]] float width_of(const Bar& bar, BarItem item);
// The width of a chip with a caption and a value; without the caption in the bar's short form.
[[nodiscard]] float chip_width(const Bar& bar, std::string_view label, std::string_view value);
void draw_item(Bar& bar, BarItem item, const Rect& rect);
// What the menu writes beside a control that has no words of its own.
[[nodiscard]] const char* text_of(BarItem item);

// The program, its launch and its block (top_bar_program.cpp).
[[nodiscard]] std::string value_of_program_item(const Workbench& workbench, BarItem item);
void draw_program_item(Bar& bar, BarItem item, const Rect& rect);
// What the watched launch is compared with (top_bar_compare.cpp).
[[nodiscard]] std::string value_of_compare(const Workbench& workbench);
void draw_compare_chip(Bar& bar, const Rect& rect);
// Races (top_bar_race.cpp).
// Which race is shown: this machine's or a recorded one, and the one it is compared with.
void draw_race_choice(Bar& bar, const Rect& rect);
[[nodiscard]] std::string race_choice_text(const Bar& bar);
// Logarithmic or linear axes.
void draw_race_scale(Bar& bar, const Rect& rect);
[[nodiscard]] std::string race_scale_text(const Bar& bar);
// The kernels of the ladder as rows of a menu.
[[nodiscard]] std::vector<MenuRow> rows_of_ladder(const Workbench& workbench);

}  // namespace tilereel
