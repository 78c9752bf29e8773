// The chip that opens a comparison of the watched launch with a launch that differs from it.
#include "app/panels/bar/top_bar_items.h"
#include "app/workbench/comparison.h"
#include "app/workbench/fit_parameters.h"
#include "instrumentation/analysis/generation.h"

namespace tilereel {
namespace {

// The rows of the menu, and the other side of the comparison that each row stands for.
struct CompareRows {
    std::vector<MenuRow> rows;
    std::vector<std::optional<CompareSide>> sides;

    void heading(const char* title) {
        rows.push_back({.name = title, .title = title, .heading = true});
        sides.emplace_back();
    }
    void add(std::string name, std::string title, std::optional<CompareSide> side, bool current) {
        rows.push_back({.name = std::move(name), .title = std::move(title), .current = current});
        sides.push_back(std::move(side));
    }
};

constexpr const char* kClose = "off";
constexpr const char* kFile = "file";

// Adds the launches that differ from `own` in this one parameter.
void add_numbers(CompareRows& to, const char* heading, const char* name,
                 std::span<const int> values, const CompareSide& own, int KernelParameters::*field,
                 const CompareSide* compared) {
    if (values.size() < 2) return;
    to.heading(heading);
    for (const int value : values) {
        if (value == own.parameters.*field) continue;
        CompareSide side = own;
        side.parameters.*field = value;
        const std::string title = name + (" " + std::to_string(value));
        to.add(title, title, side, compared != nullptr && side == *compared);
    }
}

void add_barriers(CompareRows& to, const KernelInfo& kernel, const CompareSide& own,
                  const CompareSide* compared) {
    if (kernel.barriers.empty()) return;
    to.heading("Without a barrier");
    for (const KernelBarrier& barrier : kernel.barriers) {
        CompareSide side = own;
        side.removed_barrier = static_cast<std::uint32_t>(barrier.line);
        if (side == own) continue;
        const std::string title = "without line " + std::to_string(barrier.line);
        to.add(title, title, side, compared != nullptr && side == *compared);
    }
}

void add_generations(CompareRows& to, const CompareSide& own, const CompareSide* compared) {
    to.heading("On another GPU");
    for (const Generation& generation : generations()) {
        CompareSide side = own;
        side.generation = generation.id;
        if (side == own) continue;
        to.add(std::string(generation.id), std::string(generation.title), side,
               compared != nullptr && side == *compared);
    }
}

void add_kernels(CompareRows& to, const CompareSide& own, const CompareSide* compared) {
    to.heading("With another kernel");
    for (const KernelInfo& kernel : catalog()) {
        if (kernel.id == own.kernel) continue;
        KernelParameters wanted = own.parameters;
        wanted.pad = kernel.pads.front();
        const Result<FittedParameters> fitted = fit_parameters(kernel, wanted);
        if (!fitted) continue;
        CompareSide side;
        side.kernel = kernel.id;
        side.parameters = fitted->parameters;
        side.generation = own.generation;
        to.add(side.kernel, std::string(kernel.title), side,
               compared != nullptr && side == *compared);
    }
}

CompareRows compare_rows(const Workbench& workbench) {
    CompareRows to;
    const CompareSide own = side_of(workbench);
    const CompareSide* compared = workbench.compared_with();
    if (compared != nullptr) to.add(kClose, "no comparison", std::nullopt, false);
    if (const KernelInfo* kernel = find_kernel(own.kernel)) {
        add_numbers(to, "With another PAD", "PAD", kernel->pads, own, &KernelParameters::pad,
                    compared);
        add_numbers(to, "With another TILE", "TILE", kernel->tiles, own, &KernelParameters::tile,
                    compared);
        add_barriers(to, *kernel, own, compared);
        add_kernels(to, own, compared);
    }
    add_generations(to, own, compared);
    to.heading("With a file");
    to.add(kFile, "a trace or a CUDA program\xe2\x80\xa6", std::nullopt,
           compared != nullptr && !compared->file.empty());
    return to;
}

}  // namespace

std::string value_of_compare(const Workbench& workbench) {
    const CompareSide* compared = workbench.compared_with();
    if (compared == nullptr) return "off";
    if (!compared->file.empty()) return compared->file.filename().string();
    if (workbench.other() == nullptr || workbench.recording() == nullptr) return "on";
    return side_labels(workbench, *workbench.other())[1];
}

void draw_compare_chip(Bar& bar, const Rect& rect) {
    const CompareRows all = compare_rows(bar.workbench);
    const int chosen =
        menu_chip(bar.look, "chip.compare", rect, bar.short_form ? "" : "compare",
                  bar.short_form && !bar.workbench.comparing() ? "compare"
                                                               : value_of_compare(bar.workbench),
                  all.rows, "Another launch beside this one, in lock-step (C)")
            .row;
    if (chosen < 0) return;
    const auto row = static_cast<std::size_t>(chosen);
    if (all.rows[row].name == kClose)
        bar.commands.push_back(CloseComparison{});
    else if (all.rows[row].name == kFile)
        bar.memory.show_files(true, true);
    else if (all.sides[row])
        bar.commands.push_back(Compare{{}, *all.sides[row]});
}

}  // namespace tilereel
