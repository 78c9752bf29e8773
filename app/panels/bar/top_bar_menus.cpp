// The menus of the kernel, of its TILE and PAD, and of the GPU.
#include <algorithm>
#include <array>

#include "app/panels/bar/top_bar_items.h"
#include "app/panels/paragraph.h"
#include "app/ui/fonts/utf8.h"
#include "app/workbench/launch/block_by_occupancy.h"
#include "instrumentation/analysis/generations/generation.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

// nullptr if the trace is of a kernel that is not in the catalogue.
const KernelInfo* kernel_of(const Workbench& workbench) {
    return find_kernel(workbench.request().kernel);
}

std::string tile_text(const KernelInfo* kernel, int tile) {
    if (kernel == nullptr) return std::to_string(tile);
    std::string words = tile_size_text(*kernel, tile);
    if (const std::size_t by = words.find('x'); by != std::string::npos)
        words.replace(by, 1, "\xc3\x97");
    return words;
}

struct RecorderName {
    Recorder recorder;
    const char *name, *title;
};
constexpr std::array kRecorders = {
    RecorderName{Recorder::kCpu, "record.cpu", "the CPU"},
    RecorderName{Recorder::kGpu, "record.gpu", "this computer's GPU"},
    RecorderName{Recorder::kAuto, "record.auto", "the GPU if one works, else the CPU"}};

// A row for a value of TILE or PAD, unless there is one.
void add_number(Bar& bar, BarMenu& to, bool tile, int value, const std::string& title) {
    if (std::ranges::find(to.rows, title, &MenuRow::name) != to.rows.end()) return;
    KernelParameters parameters = bar.workbench.request().parameters;
    int& changed = tile ? parameters.tile : parameters.pad;
    const bool current = changed == value;
    changed = value;
    to.add_choice(
        {.name = title,
         .title = title,
         .current = current,
         .typed = std::to_string(value) == typed_in_menu(tile ? "chip.tile" : "chip.pad")},
        bar, SetParameters{parameters});
}

}  // namespace

std::string kernel_name(const Workbench& workbench) {
    constexpr std::size_t kLongest = 28;  // bytes; a trace file may contain longer names
    if (const KernelInfo* kernel = kernel_of(workbench)) return std::string(kernel->title);
    const std::string& name = workbench.request().kernel;
    if (name.size() <= kLongest) return name;
    return name.substr(0, character_before(name, kLongest)) + "\xe2\x80\xa6";
}

std::string tile_name(const Workbench& workbench) {
    return tile_text(kernel_of(workbench), workbench.request().parameters.tile);
}

void add_ladder(Bar& bar, BarMenu& to) {
    for (const KernelInfo& kernel : catalog())
        to.add({.name = std::string(kernel.id),
                .title = std::string(kernel.title),
                .detail = as_sentence(kernel.idea),
                .current = &kernel == kernel_of(bar.workbench)},
               bar, SetKernel{std::string(kernel.id)});
}

BarMenu kernel_menu(Bar& bar) {
    BarMenu menu;
    add_ladder(bar, menu);
    return menu;
}

// The values that are compiled in, the current value, and the value being typed.
BarMenu number_menu(Bar& bar, bool tile) {
    BarMenu menu;
    const KernelInfo* kernel = kernel_of(bar.workbench);
    const KernelParameters& now = bar.workbench.request().parameters;
    if (kernel != nullptr)
        for (const int value : tile ? kernel->tiles : kernel->pads)
            add_number(bar, menu, tile, value,
                       tile ? tile_text(kernel, value) : std::to_string(value));
    const int current = tile ? now.tile : now.pad;
    if (std::ranges::none_of(menu.rows, &MenuRow::current))
        add_number(bar, menu, tile, current, std::to_string(current));
    if (kernel == nullptr) return menu;
    if (tile)
        if (const auto block = block_by_occupancy(*kernel, now.pad, bar.workbench.generation()))
            menu.add({.name = "by occupancy: " + std::to_string(block->tile),
                      .title = "by occupancy: " + std::to_string(block->tile)},
                     bar, SetTileByOccupancy{});
    if (!(tile ? takes_other_tiles(*kernel) : takes_other_pads(*kernel))) return menu;
    menu.heading("other", "or type another");
    constexpr std::size_t kMostDigits = 5;
    const std::string typed = typed_in_menu(tile ? "chip.tile" : "chip.pad");
    if (!typed.empty() && typed.size() <= kMostDigits &&
        typed.find_first_not_of("0123456789") == std::string::npos)
        add_number(bar, menu, tile, std::stoi(typed), typed);
    return menu;
}

// Two choices: the GPU generation whose rules apply, and the device that records.
BarMenu gpu_menu(Bar& bar) {
    BarMenu menu;
    menu.heading("rules", "Counted by the rules of");
    for (const Generation& generation : generations())
        menu.add_choice({.name = std::string(generation.title),
                         .title = std::string(generation.title),
                         .current = &generation == &bar.workbench.generation()},
                        bar, SetGeneration{std::string(generation.id)});
    menu.heading("recorders", "Recorded by");
    for (const RecorderName& each : kRecorders)
        menu.add_choice({.name = each.name,
                         .title = each.title,
                         .current = each.recorder == bar.workbench.request().recorder},
                        bar, SetRecorder{each.recorder});
    return menu;
}

}  // namespace tilereel
