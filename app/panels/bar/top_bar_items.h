#pragma once
// The controls of the top bar. Each can be drawn in the bar or in its overflow menu.
#include <functional>
#include <string>
#include <vector>

#include "app/panels/panel_memory.h"
#include "app/ui/widgets/menu.h"

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

    void ask(Command command) { commands.push_back(std::move(command)); }
};

// The rows of a chip's menu, and what each does when it is chosen.
struct BarMenu {
    std::vector<MenuRow> rows;
    std::vector<std::function<void(const MenuChoice&)>> effects;

    void heading(std::string name, std::string title) {
        add({.name = std::move(name), .title = std::move(title), .heading = true}, {});
    }
    void add(MenuRow row, std::function<void(const MenuChoice&)> effect) {
        rows.push_back(std::move(row));
        effects.push_back(std::move(effect));
    }
    // The row adds this command. The current row does nothing.
    void add_choice(MenuRow row, Bar& bar, Command command) {
        if (row.current) return add(std::move(row), {});
        add(std::move(row), bar, std::move(command));
    }
    // The row adds this command.
    void add(MenuRow row, Bar& bar, Command command) {
        add(std::move(row),
            [&bar, command = std::move(command)](const MenuChoice&) { bar.ask(command); });
    }
};

// Widget names of a program's chips (register_widget): chip.program chip.launch chip.block (each
// opens <name>.<row>) bar.open. width_of(): pixels.
[[nodiscard]] float width_of(const Bar& bar, BarItem item);
void draw_item(Bar& bar, BarItem item, const Rect& rect);
// The names of its controls, from left to right.
[[nodiscard]] std::vector<std::string> names_of(BarItem item);
// The label that the overflow menu shows beside a control without text.
[[nodiscard]] const char* text_of(BarItem item);

// What a chip shows, and its menu: the kernel and its numbers (top_bar_menus.cpp), the program, its
// launch and its block (top_bar_program.cpp), the comparison with another launch
// (top_bar_compare.cpp), and races (top_bar_race.cpp).
[[nodiscard]] std::string kernel_name(const Workbench& workbench);
[[nodiscard]] std::string tile_name(const Workbench& workbench);
void add_ladder(Bar& bar, BarMenu& to);  // the kernels of the ladder
[[nodiscard]] BarMenu kernel_menu(Bar& bar);
[[nodiscard]] BarMenu number_menu(Bar& bar, bool tile);
[[nodiscard]] BarMenu gpu_menu(Bar& bar);
[[nodiscard]] std::string value_of_program_item(const Workbench& workbench, BarItem item);
[[nodiscard]] BarMenu program_menu(Bar& bar);
[[nodiscard]] BarMenu launch_menu(Bar& bar);
[[nodiscard]] BarMenu block_menu(Bar& bar);
[[nodiscard]] std::string value_of_compare(const Bar& bar);
[[nodiscard]] BarMenu compare_menu(Bar& bar);
[[nodiscard]] std::string race_choice_text(const Bar& bar);
[[nodiscard]] BarMenu race_menu(Bar& bar);
[[nodiscard]] std::string race_scale_text(const Bar& bar);
[[nodiscard]] BarMenu race_scale_menu(Bar& bar);

}  // namespace tilereel
