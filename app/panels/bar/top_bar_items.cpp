#include "app/panels/bar/top_bar_items.h"

#include <algorithm>
#include <array>

#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/menu.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

constexpr int kLargestTextPx = 32;
constexpr const char *kOpenName = "bar.open", *kThemeName = "bar.theme",
                     *kTextName = "bar.text_larger", *kFullName = "bar.full_screen",
                     *kHelpName = "bar.help";

// A chip: its widget, its caption (left out in the short form, except capitals) and its tip.
struct BarChip {
    BarItem item;
    const char *name, *caption, *tip;
    std::string (*value)(const Bar& bar);
    BarMenu (*menu)(Bar& bar);
    float most = 1000;  // units; a longer value is cut
};

std::string generation_name(const Bar& bar) {
    const std::string_view title = bar.workbench.generation().title;  // "H100 (9.0)"
    return std::string(bar.short_form ? title.substr(0, title.find(" (")) : title);
}

template <BarItem kItem>
std::string program_value(const Bar& bar) {
    return value_of_program_item(bar.workbench, kItem);
}

constexpr std::array<BarChip, 10> kChips = {{
    {BarItem::kKernel, "chip.kernel", "kernel", "The kernel that is recorded (K)",
     [](const Bar& bar) { return kernel_name(bar.workbench); }, kernel_menu},
    {BarItem::kProgram, "chip.program", "program", "The program that is open (Shift+K)",
     program_value<BarItem::kProgram>, program_menu, 340},
    {BarItem::kLaunch, "chip.launch", "launch", "The launch that is watched (, and .)",
     program_value<BarItem::kLaunch>, launch_menu},
    {BarItem::kBlock, "chip.block", "block", "The block that is watched (K)",
     program_value<BarItem::kBlock>, block_menu},
    {BarItem::kTile, "chip.tile", "TILE", "Edge of a block and of its tiles, in elements",
     [](const Bar& bar) { return tile_name(bar.workbench); },
     [](Bar& bar) { return number_menu(bar, true); }},
    {BarItem::kPad, "chip.pad", "PAD",
     "Words of padding after each row of a shared tile (P switches)",
     [](const Bar& bar) { return std::to_string(bar.workbench.request().parameters.pad); },
     [](Bar& bar) { return number_menu(bar, false); }},
    {BarItem::kGpu, "chip.gpu", "GPU",
     "Whose rules the counts and the replay follow, and what records (D)", generation_name,
     gpu_menu},
    {BarItem::kCompare, "chip.compare", "compare",
     "Another launch beside this one, in lock-step (C)", value_of_compare, compare_menu, 220},
    {BarItem::kRace, "chip.race", "race", "The race that is shown, and the one it is compared with",
     race_choice_text, race_menu, 420},
    {BarItem::kRaceScale, "chip.scale", "scale", "Axes of the plots over N", race_scale_text,
     race_scale_menu},
}};

const BarChip* chip_of(BarItem item) {
    const auto* found = std::ranges::find(kChips, item, &BarChip::item);
    return found == kChips.end() ? nullptr : found;
}

std::string_view caption_of(const Bar& bar, const BarChip& chip) {
    const bool capitals = chip.caption[0] >= 'A' && chip.caption[0] <= 'Z';
    return bar.short_form && !capitals ? "" : chip.caption;
}

void draw_chip_of(Bar& bar, const BarChip& chip, const Rect& rect) {
    const bool of_trace = chip.item == BarItem::kLaunch && !bar.workbench.shows_program();
    const char* const tip = of_trace ? "The launch that the trace holds" : chip.tip;
    if (!menu_is_open(bar.look, chip.name, rect, caption_of(bar, chip), chip.value(bar), tip))
        return;
    const BarMenu menu = chip.menu(bar);
    const MenuChoice chosen = draw_open_menu(bar.look, chip.name, rect, menu.rows);
    if (chosen.row < 0) return;
    if (const auto& effect = menu.effects[static_cast<std::size_t>(chosen.row)]) effect(chosen);
}

void draw_extents(Bar& bar, const Rect& rect) {
    KernelParameters parameters = bar.workbench.request().parameters;
    std::array<int, 3> values = {parameters.m, parameters.n, parameters.k};
    const TypedExtents typed =
        extents_chip(bar.look, "chip.extents", rect, values.data(),
                     "C is M x N, A is M x K, B is K x N: click a number and type; Tab goes on");
    if (!typed.refused.empty()) {
        const char name = "MNK"[typed.field];
        bar.memory.show_error(std::string(1, name) + " is \"" + typed.refused +
                              "\": type a whole number from 1 to " + with_commas(kLargestExtent));
    }
    if (!typed.committed) return;
    parameters.m = values[0];
    parameters.n = values[1];
    parameters.k = values[2];
    bar.ask(SetParameters{parameters});
}

// Draws the button if it is `wanted`. Returns whether the mouse or a key pressed it.
template <class Draw>
bool is_pressed(bool wanted, const char* name, const Rect& rect, const Look& look, Draw&& draw) {
    if (!wanted) return false;
    const bool clicked = draw();
    return pressed_by_key(look, name, rect) || clicked;
}

}  // namespace

float width_of(const Bar& bar, BarItem item) {
    const Look& look = bar.look;
    if (const BarChip* chip = chip_of(item))
        return std::min(value_chip_width(look, caption_of(bar, *chip), chip->value(bar)),
                        look.px(chip->most) * look.text);
    if (item == BarItem::kOpen) return std::max(bar.control, button_width(look, "open", 22));
    if (item == BarItem::kText) return std::max(bar.control, button_width(look, "A+", 10));
    if (item != BarItem::kExtents) return bar.control;
    const KernelParameters& p = bar.workbench.request().parameters;
    std::size_t digits = 3;  // at least 3, so that there is room to type
    for (const int extent : {p.m, p.n, p.k})
        digits = std::max(digits, std::to_string(extent).size());
    return extents_chip_width(look, digits);
}

void draw_item(Bar& bar, BarItem item, const Rect& rect) {
    const Look& look = bar.look;
    const ViewState& view = bar.workbench.view();
    const bool largest = view.text_px >= kLargestTextPx;
    if (const BarChip* chip = chip_of(item)) return draw_chip_of(bar, *chip, rect);
    if (item == BarItem::kExtents) return draw_extents(bar, rect);
    if (is_pressed(item == BarItem::kOpen, kOpenName, rect, look, [&] {
            return text_button(look, kOpenName, rect, "open",
                               bar.memory.parts().files.list.has_value(),
                               "Open a CUDA program or a trace (Ctrl+O)");
        }))
        bar.memory.show_files(true);
    if (is_pressed(item == BarItem::kTheme, kThemeName, rect, look, [&] {
            return icon_button(look, kThemeName, rect, Icon::kTheme, false,
                               view.light ? "Dark theme (T)" : "Light theme (T)");
        }))
        bar.ask(ToggleTheme{});
    if (is_pressed(item == BarItem::kText, kTextName, rect, look, [&] {
            return text_button(
                look, kTextName, rect, "A+", false,
                largest ? "Back to the smallest text (smaller: -)" : "Larger text (+); smaller: -");
        }))
        bar.ask(ChangeTextSize{largest ? -kLargestTextPx : 1});
    if (is_pressed(item == BarItem::kFull, kFullName, rect, look, [&] {
            return icon_button(look, kFullName, rect, Icon::kFullScreen, view.full_screen,
                               "Full screen (F or F11)");
        }))
        bar.ask(ToggleFullScreen{});
    if (is_pressed(item == BarItem::kHelp, kHelpName, rect, look, [&] {
            return text_button(look, kHelpName, rect, "?", view.help, "All keys (?)");
        }))
        bar.ask(ToggleHelp{});
}

std::vector<std::string> names_of(BarItem item) {
    if (const BarChip* chip = chip_of(item)) return {chip->name};
    switch (item) {
        case BarItem::kExtents:
            return {"chip.extents.m", "chip.extents.n", "chip.extents.k"};
        case BarItem::kOpen:
            return {kOpenName};
        case BarItem::kTheme:
            return {kThemeName};
        case BarItem::kText:
            return {kTextName};
        case BarItem::kFull:
            return {kFullName};
        case BarItem::kHelp:
            return {kHelpName};
        default:
            return {};
    }
}

const char* text_of(BarItem item) {
    if (item == BarItem::kOpen) return "a program, a trace (Ctrl+O)";
    if (item == BarItem::kTheme) return "theme (T)";
    if (item == BarItem::kText) return "larger text (+)";
    if (item == BarItem::kFull) return "full screen (F)";
    return item == BarItem::kHelp ? "all keys (?)" : "";
}

}  // namespace tilereel
