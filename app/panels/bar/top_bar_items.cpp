#include "app/panels/bar/top_bar_items.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/ui/menu.h"
#include "app/ui/utf8.h"
#include "app/workbench/block_by_occupancy.h"
#include "instrumentation/analysis/generation.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

constexpr int kLargestTextPx = 32;

// nullptr if the trace is of a kernel that is not in the catalogue.
const KernelInfo* kernel_of(const Workbench& workbench) {
    return find_kernel(workbench.request().kernel);
}

std::string kernel_name(const Workbench& workbench) {
    constexpr std::size_t kLongest = 28;  // bytes; a trace file may contain longer names
    if (const KernelInfo* kernel = kernel_of(workbench)) return std::string(kernel->title);
    const std::string& name = workbench.request().kernel;
    if (name.size() <= kLongest) return name;
    return name.substr(0, character_before(name, kLongest)) + "\xe2\x80\xa6";
}

std::string tile_text(const KernelInfo* kernel, int tile) {
    if (kernel == nullptr) return std::to_string(tile);
    std::string words = tile_size_text(*kernel, tile);
    if (const std::size_t by = words.find('x'); by != std::string::npos)
        words.replace(by, 1, "\xc3\x97");
    return words;
}

std::string_view generation_name(const Bar& bar) {
    const std::string_view title = bar.workbench.generation().title;  // "H100 (9.0)"
    return bar.short_form ? title.substr(0, title.find(" (")) : title;
}

// The menu has each kernel's title and idea.
void draw_kernel_chip(Bar& bar, const Rect& rect) {
    const std::vector<MenuRow> rows = rows_of_ladder(bar.workbench);
    const int chosen = menu_chip(bar.look, "chip.kernel", rect, bar.short_form ? "" : "kernel",
                                 kernel_name(bar.workbench), rows, "The kernel that is recorded")
                           .row;
    if (chosen >= 0) bar.commands.push_back(SetKernel{rows[static_cast<std::size_t>(chosen)].name});
}

void draw_extents(Bar& bar, const Rect& rect) {
    KernelParameters parameters = bar.workbench.request().parameters;
    std::array<int, 3> values = {parameters.m, parameters.n, parameters.k};
    const TypedExtents typed =
        extents_chip(bar.look, "chip.extents", rect, values.data(),
                     "C is M x N, A is M x K, B is K x N: click a number and type; Tab goes on");
    if (!typed.refused.empty()) {
        const char name = "MNK"[typed.field];
        bar.memory.show_notice(std::string(1, name) + " is \"" + typed.refused +
                               "\": type a whole number from 1 to " + with_commas(kLargestExtent));
    }
    if (!typed.committed) return;
    parameters.m = values[0];
    parameters.n = values[1];
    parameters.k = values[2];
    bar.commands.push_back(SetParameters{parameters});
}

// "by occupancy: 32" for a kernel whose block size is chosen by occupancy; empty for other kernels.
std::string tile_by_occupancy(const Bar& bar, const KernelInfo& kernel) {
    const Result<BlockByOccupancy> block = block_by_occupancy(
        kernel, bar.workbench.request().parameters.pad, bar.workbench.generation());
    return block ? "by occupancy: " + std::to_string(block->tile) : std::string();
}

// The rows of the TILE or PAD menu, and the value of each row.
struct NumberRows {
    std::vector<MenuRow> rows;
    std::vector<int> values;
    std::string typed;
    int current = 0;
    void add(int value, const std::string& title) {
        if (std::ranges::find(values, value) != values.end()) return;
        rows.push_back({.name = title,
                        .title = title,
                        .current = value == current,
                        .typed = std::to_string(value) == typed});
        values.push_back(value);
    }
};
constexpr int kByOccupancy = -1;  // a value that stands for: choose TILE by occupancy
constexpr int kNoNumber = -2;     // a row that cannot be chosen

// Rows for the values that are compiled in, the current value, and the value being typed.
NumberRows number_rows(const Bar& bar, const KernelInfo& kernel, bool tile) {
    const KernelParameters& now = bar.workbench.request().parameters;
    NumberRows to;
    to.typed = typed_in_menu(tile ? "chip.tile" : "chip.pad");
    to.current = tile ? now.tile : now.pad;
    for (const int value : tile ? kernel.tiles : kernel.pads)
        to.add(value, tile ? tile_text(&kernel, value) : std::to_string(value));
    to.add(to.current, std::to_string(to.current));
    if (const std::string words = tile ? tile_by_occupancy(bar, kernel) : ""; !words.empty())
        to.add(kByOccupancy, words);
    if (!(tile ? takes_other_tiles(kernel) : takes_other_pads(kernel))) return to;
    to.rows.push_back({.name = "other", .title = "or type another", .heading = true});
    to.values.push_back(kNoNumber);
    constexpr std::size_t kMostDigits = 5;
    const bool number = !to.typed.empty() && to.typed.size() <= kMostDigits &&
                        to.typed.find_first_not_of("0123456789") == std::string::npos;
    if (number) to.add(std::stoi(to.typed), to.typed);
    return to;
}

void draw_number_choice(Bar& bar, const Rect& rect, BarItem item) {
    KernelParameters parameters = bar.workbench.request().parameters;
    const KernelInfo* kernel = kernel_of(bar.workbench);
    const bool tile = item == BarItem::kTile;
    int& value = tile ? parameters.tile : parameters.pad;
    NumberRows rows;
    if (kernel != nullptr)
        rows = number_rows(bar, *kernel, tile);
    else
        rows.add(value, std::to_string(value));
    const int row =
        menu_chip(bar.look, tile ? "chip.tile" : "chip.pad", rect, tile ? "TILE" : "PAD",
                  tile ? tile_text(kernel, value) : std::to_string(value), rows.rows,
                  tile ? "Edge of a block and of its tiles, in elements"
                       : "Words of padding after each row of a shared tile (P switches)")
            .row;
    if (row < 0) return;
    const int chosen = rows.values[static_cast<std::size_t>(row)];
    if (chosen == value || chosen == kNoNumber) return;
    if (chosen == kByOccupancy) {
        bar.commands.push_back(SetTileByOccupancy{});
        return;
    }
    value = chosen;
    bar.commands.push_back(SetParameters{parameters});
}

struct RecorderName {
    Recorder recorder;
    const char *name, *title;
};
constexpr std::array kRecorders = {
    RecorderName{Recorder::kCpu, "record.cpu", "the CPU"},
    RecorderName{Recorder::kGpu, "record.gpu", "this computer's GPU"},
    RecorderName{Recorder::kAuto, "record.auto", "the GPU if one works, else the CPU"}};

// A menu with two choices: the GPU generation whose rules apply, and the device that records.
void draw_gpu_choice(Bar& bar, const Rect& rect) {
    std::vector<MenuRow> rows = {
        {.name = "rules", .title = "Counted by the rules of", .heading = true}};
    for (const Generation& generation : generations())
        rows.push_back({.name = std::string(generation.title),
                        .title = std::string(generation.title),
                        .current = &generation == &bar.workbench.generation()});
    rows.push_back({.name = "recorders", .title = "Recorded by", .heading = true});
    for (const RecorderName& each : kRecorders)
        rows.push_back({.name = each.name,
                        .title = each.title,
                        .current = each.recorder == bar.workbench.request().recorder});
    const int chosen = menu_chip(bar.look, "chip.gpu", rect, "GPU", generation_name(bar), rows,
                                 "Whose rules the counts and the replay follow, and what records")
                           .row;
    if (chosen < 0 || rows[static_cast<std::size_t>(chosen)].current) return;
    const auto row = static_cast<std::size_t>(chosen);
    const std::size_t rules = generations().size();
    if (row <= rules)
        bar.commands.push_back(SetGeneration{std::string(generations()[row - 1].id)});
    else
        bar.commands.push_back(SetRecorder{kRecorders[row - rules - 2].recorder});
}

}  // namespace

std::vector<MenuRow> rows_of_ladder(const Workbench& workbench) {
    std::vector<MenuRow> rows;
    for (const KernelInfo& kernel : catalog())
        rows.push_back({.name = std::string(kernel.id),
                        .title = std::string(kernel.title),
                        .detail = as_sentence(kernel.idea),
                        .current = &kernel == kernel_of(workbench)});
    return rows;
}

float chip_width(const Bar& bar, std::string_view label, std::string_view value) {
    return value_chip_width(bar.look, bar.short_form ? "" : label, value);
}

float width_of(const Bar& bar, BarItem item) {
    const Look& look = bar.look;
    const KernelParameters& p = bar.workbench.request().parameters;
    switch (item) {
        case BarItem::kKernel:
            return chip_width(bar, "kernel", kernel_name(bar.workbench)) +
                   look.px(bar.short_form ? 0 : 16);
        case BarItem::kProgram:
            return std::min(chip_width(bar, "program", value_of_program_item(bar.workbench, item)),
                            look.px(340) * look.text);
        case BarItem::kLaunch:
            return chip_width(bar, "launch", value_of_program_item(bar.workbench, item));
        case BarItem::kBlock:
            return chip_width(bar, "block", value_of_program_item(bar.workbench, item));
        case BarItem::kOpen:
            return std::max(bar.control, button_width(look, "open", 22));
        case BarItem::kExtents: {
            std::size_t digits = 4;  // at least 4, so that there is room to type
            for (const int extent : {p.m, p.n, p.k})
                digits = std::max(digits, std::to_string(extent).size());
            return extents_chip_width(look, digits);
        }
        case BarItem::kTile:
            return std::max(
                value_chip_width(look, "TILE", "32"),
                value_chip_width(look, "TILE", tile_text(kernel_of(bar.workbench), p.tile)));
        case BarItem::kPad:
            return value_chip_width(look, "PAD", std::to_string(p.pad));
        case BarItem::kGpu:
            return value_chip_width(look, "GPU", generation_name(bar));
        case BarItem::kCompare:
            return std::min(chip_width(bar, "compare",
                                       bar.short_form && !bar.workbench.comparing()
                                           ? "compare"
                                           : value_of_compare(bar.workbench)),
                            look.px(220) * look.text);
        case BarItem::kRace:
            return std::min(chip_width(bar, "race", race_choice_text(bar)),
                            look.px(420) * look.text);
        case BarItem::kRaceScale:
            return chip_width(bar, "scale", race_scale_text(bar));
        case BarItem::kText:
            return std::max(bar.control, button_width(look, "A+", 10));
        default:
            return bar.control;
    }
}

void draw_item(Bar& bar, BarItem item, const Rect& rect) {
    const Look& look = bar.look;
    const ViewState& view = bar.workbench.view();
    switch (item) {
        case BarItem::kKernel:
            return draw_kernel_chip(bar, rect);
        case BarItem::kProgram:
        case BarItem::kLaunch:
        case BarItem::kBlock:
            return draw_program_item(bar, item, rect);
        case BarItem::kOpen:
            if (text_button(look, "bar.open", rect, "open", bar.memory.shows_files(),
                            "Open a CUDA program or a trace (Ctrl+O)"))
                bar.memory.show_files(true);
            return;
        case BarItem::kExtents:
            return draw_extents(bar, rect);
        case BarItem::kTile:
        case BarItem::kPad:
            return draw_number_choice(bar, rect, item);
        case BarItem::kGpu:
            return draw_gpu_choice(bar, rect);
        case BarItem::kCompare:
            return draw_compare_chip(bar, rect);
        case BarItem::kRace:
            return draw_race_choice(bar, rect);
        case BarItem::kRaceScale:
            return draw_race_scale(bar, rect);
        case BarItem::kTheme:
            if (icon_button(look, "bar.theme", rect, Icon::kTheme, false,
                            view.light ? "Dark theme (T)" : "Light theme (T)"))
                bar.commands.push_back(ToggleTheme{});
            return;
        case BarItem::kText: {
            const bool largest = view.text_px >= kLargestTextPx;
            if (text_button(look, "bar.text_larger", rect, "A+", false,
                            largest ? "Back to the smallest text (smaller: -)"
                                    : "Larger text (+); smaller: -"))
                bar.commands.push_back(ChangeTextSize{largest ? -kLargestTextPx : 1});
            return;
        }
        case BarItem::kFull:
            if (icon_button(look, "bar.full_screen", rect, Icon::kFullScreen, view.full_screen,
                            "Full screen (F or F11)"))
                bar.commands.push_back(ToggleFullScreen{});
            return;
        case BarItem::kHelp:
            if (text_button(look, "bar.help", rect, "?", view.help, "All keys (?)"))
                bar.commands.push_back(ToggleHelp{});
            return;
    }
}

const char* text_of(BarItem item) {
    switch (item) {
        case BarItem::kOpen:
            return "a program, a trace (Ctrl+O)";
        case BarItem::kTheme:
            return "theme (T)";
        case BarItem::kText:
            return "larger text (+)";
        case BarItem::kFull:
            return "full screen (F)";
        case BarItem::kHelp:
            return "all keys (?)";
        default:
            return "";
    }
}

}  // namespace tilereel
