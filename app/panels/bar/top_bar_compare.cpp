// The chip that opens a comparison of the watched launch with a launch that differs from it.
#include "app/panels/bar/top_bar_items.h"
#include "app/workbench/comparison.h"
#include "app/workbench/launch/fit_parameters.h"
#include "instrumentation/analysis/generations/generation.h"

namespace tilereel {
namespace {

// The rows of the menu, below the heading that comes before the first of its rows.
class CompareRows {
  public:
    explicit CompareRows(Bar& bar)
        : own(side_of(bar.workbench)), bar_(bar), compared_(bar.workbench.compared_with()) {}

    void heading(const char* title) { heading_ = title; }
    // Adds a row for this side, unless it is the watched launch itself.
    void add(const std::string& name, const std::string& title, const Subject& side) {
        if (side == own) return;
        if (heading_ != nullptr) menu.heading(heading_, heading_);
        heading_ = nullptr;
        menu.add(
            {.name = name, .title = title, .current = compared_ != nullptr && side == *compared_},
            bar_, Compare{{}, side});
    }
    // Adds the launches that differ in this one parameter.
    void add_numbers(const char* title, const std::string& name, std::span<const int> values,
                     std::optional<int> Subject::*field) {
        heading(title);
        for (const int value : values) {
            Subject side = own;
            side.*field = value;
            add(name + std::to_string(value), name + std::to_string(value), side);
        }
    }

    BarMenu menu;
    const Subject own;

  private:
    Bar& bar_;
    const Subject* compared_;
    const char* heading_ = nullptr;
};

void add_kernels(CompareRows& to) {
    to.heading("With another kernel");
    for (const KernelInfo& kernel : catalog()) {
        if (kernel.id == to.own.kernel) continue;
        KernelParameters wanted = parameters_of(to.own);
        wanted.pad = kernel.pads.front();
        const Result<FittedParameters> fitted = fit_parameters(kernel, wanted);
        if (!fitted) continue;
        const KernelParameters& p = fitted->parameters;
        Subject side{
            .kernel = std::string(kernel.id), .m = p.m, .n = p.n, .k = p.k, .tile = p.tile};
        side.pad = p.pad;
        side.seed = to.own.seed;
        side.on_gpu = to.own.on_gpu;
        side.generation = to.own.generation;
        to.add(side.kernel, std::string(kernel.title), side);
    }
}

}  // namespace

BarMenu compare_menu(Bar& bar) {
    CompareRows to(bar);
    const Subject* compared = bar.workbench.compared_with();
    if (compared != nullptr)
        to.menu.add({.name = "off", .title = "no comparison"}, bar, CloseComparison{});
    if (const KernelInfo* kernel = find_kernel(to.own.kernel)) {
        to.add_numbers("With another PAD", "PAD ", kernel->pads, &Subject::pad);
        to.add_numbers("With another TILE", "TILE ", kernel->tiles, &Subject::tile);
        to.heading("Without a barrier");
        for (const KernelBarrier& barrier : kernel->barriers) {
            Subject side = to.own;
            side.removed_barrier = static_cast<std::uint32_t>(barrier.line);
            const std::string title = "without line " + std::to_string(barrier.line);
            to.add(title, title, side);
        }
        add_kernels(to);
    }
    to.heading("On another GPU");
    for (const Generation& generation : generations()) {
        Subject side = to.own;
        side.generation = generation.id;
        to.add(std::string(generation.id), std::string(generation.title), side);
    }
    to.menu.heading("With a file", "With a file");
    to.menu.add({.name = "file",
                 .title = "a trace or a CUDA program\xe2\x80\xa6",
                 .current = compared != nullptr && !compared->file.empty()},
                [&bar](const MenuChoice&) { bar.memory.show_files(true, true); });
    return std::move(to.menu);
}

std::string value_of_compare(const Bar& bar) {
    const Workbench& workbench = bar.workbench;
    const Subject* compared = workbench.compared_with();
    if (compared == nullptr) return bar.short_form ? "compare" : "off";
    if (!compared->file.empty()) return compared->file.filename().string();
    if (workbench.other() == nullptr || workbench.recording() == nullptr) return "on";
    return side_labels(workbench, *workbench.other())[1];
}

}  // namespace tilereel
