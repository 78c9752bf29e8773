#pragma once
// The controls of the top bar. Each can be drawn in the bar or in its overflow menu.
#include <array>
#include <string>
#include <string_view>

#include "app/panels/memory.h"
#include "app/panels/overlay/overlay.h"
#include "app/ui/menu.h"

namespace tilereel {

enum class BarItem {
    kKernel,
    kProgram,  // kProgram, kLaunch and kBlock replace kKernel for a program
    kLaunch,
    kBlock,
    kOpen,
    kExtents,
    kTile,
    kPad,
    kGpu,
    kCompare,
    kRace,  // kRace and kRaceScale: Race mode only; the items above: Replay mode only
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
    bool short_form = false;  // no caption for the kernel, no compute capability for the GPU
    Commands commands;
};

// Widget names of a program's chips (register_widget): chip.program chip.launch chip.block (each
// opens <name>.<row>) bar.open. width_of(): pixels.
[[nodiscard]] float width_of(const Bar& bar, BarItem item);
// The width in pixels of a chip with a caption and a value. The short form has no caption.
[[nodiscard]] float chip_width(const Bar& bar, std::string_view label, std::string_view value);
void draw_item(Bar& bar, BarItem item, const Rect& rect);
// The label that the overflow menu shows beside a control without text.
[[nodiscard]] const char* text_of(BarItem item);

// The program, its launch and its block (top_bar_program.cpp).
[[nodiscard]] std::string value_of_program_item(const Workbench& workbench, BarItem item);
void draw_program_item(Bar& bar, BarItem item, const Rect& rect);
// The comparison with another launch (top_bar_compare.cpp).
[[nodiscard]] std::string value_of_compare(const Workbench& workbench);
void draw_compare_chip(Bar& bar, const Rect& rect);
// Races (top_bar_race.cpp).
// The choice of the race that is shown (run on this machine or recorded), and of the race it is
// compared with.
void draw_race_choice(Bar& bar, const Rect& rect);
[[nodiscard]] std::string race_choice_text(const Bar& bar);
// The choice of logarithmic or linear axes.
void draw_race_scale(Bar& bar, const Rect& rect);
[[nodiscard]] std::string race_scale_text(const Bar& bar);
// The kernels of the ladder as rows of a menu.
[[nodiscard]] std::vector<MenuRow> rows_of_ladder(const Workbench& workbench);

}  // namespace tilereel
