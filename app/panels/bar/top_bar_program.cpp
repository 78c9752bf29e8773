// The chips of the open program: the program, the launch and the block.
#include <algorithm>
#include <optional>

#include "app/panels/bar/top_bar_items.h"
#include "app/panels/overlay/go_to.h"
#include "app/panels/recorded_text.h"
#include "app/panels/source/launch_list.h"
#include "instrumentation/trace/launch_names.h"

namespace tilereel {
namespace {

constexpr std::string_view kBy = "\xc3\x97";
constexpr std::uint64_t kMostBlocks = 1024;  // the longest list of blocks in a menu

// Shortens the name, because a template's arguments can be long.
std::string kernel_text(const std::string& kernel) {
    constexpr std::size_t kLongest = 24;
    if (kernel.size() <= kLongest) return kernel;
    const std::size_t arguments = kernel.find('<');
    if (arguments != std::string::npos && arguments + 3 <= kLongest)
        return kernel.substr(0, arguments) + "<\xe2\x80\xa6>";
    return kernel.substr(0, kLongest) + "\xe2\x80\xa6";
}

// Parses "17,4" as a block of the grid. nullopt if there is no such block.
std::optional<std::uint32_t> block_typed(const Dim3& grid, const std::string& typed) {
    std::vector<std::uint64_t> at = numbers_in(typed).value_or(std::vector<std::uint64_t>());
    if (at.empty()) return std::nullopt;
    at.resize(3);  // coordinates that were not typed are 0
    if (at[0] >= grid.x || at[1] >= grid.y || at[2] >= grid.z) return std::nullopt;
    const auto block = static_cast<std::uint32_t>((at[2] * grid.y + at[1]) * grid.x + at[0]);
    return block_name(grid, block) == typed ? std::optional(block) : std::nullopt;
}

void add_block(Bar& bar, BarMenu& to, std::uint32_t block, const std::string& typed) {
    const Dim3& grid = bar.workbench.replay()->trace().launch.grid;
    const std::string title = block_name(grid, block);
    to.add({.name = std::to_string(block),
            .title = title,
            .current = block == bar.workbench.replay()->block(),
            .typed = title == typed},
           bar, WatchBlock{block % grid.x, block / grid.x});
}

// If the blocks were not recorded: adds the blocks around the watched one.
void add_unrecorded(Bar& bar, BarMenu& to, const std::string& typed) {
    const Replay& replay = *bar.workbench.replay();
    const Trace& trace = replay.trace();
    const std::uint64_t count = trace.launch.grid.count();
    const std::uint64_t before = std::min<std::uint64_t>(replay.block(), kMostBlocks / 2);
    const std::uint64_t first =
        std::min(replay.block() - before, count - std::min(count, kMostBlocks));
    const std::uint64_t end = std::min(count, first + kMostBlocks);
    to.heading("unrecorded",
               "Not recorded: runs again with the block. Choose, or type " +
                   block_name(trace.launch.grid, static_cast<std::uint32_t>(count - 1)));
    for (std::uint64_t block = first; block < end; ++block)
        if (!is_chosen(trace, static_cast<std::uint32_t>(block)))
            add_block(bar, to, static_cast<std::uint32_t>(block), typed);
}

}  // namespace

std::string value_of_program_item(const Workbench& workbench, BarItem item) {
    const OpenedProgram* const program = workbench.shows_program() ? workbench.program() : nullptr;
    if (program == nullptr && item != BarItem::kBlock) {
        if (workbench.recording() == nullptr) return {};
        const Trace& trace = *workbench.recording()->trace;
        return item == BarItem::kProgram
                   ? std::filesystem::path(trace.source_name).filename().string()
                   : std::to_string(trace.launch.number) + " " + kernel_text(trace.launch.kernel);
    }
    if (item == BarItem::kProgram) return program->name();
    if (item == BarItem::kLaunch) {
        if (!program->run || !program->launch || *program->launch >= program->run->launches.size())
            return "none";
        const program::LaunchSummary& launch = program->run->launches[*program->launch];
        return std::to_string(launch.number) + " " + kernel_text(launch.kernel);
    }
    const Replay* const replay = workbench.replay();
    if (replay == nullptr) return "none";
    const Dim3& grid = replay->trace().launch.grid;
    return block_name(grid, replay->block()) + " of " + extents_text(grid, kBy);
}

// For a trace: the only launch that it holds.
BarMenu launch_menu(Bar& bar) {
    BarMenu menu;
    const OpenedProgram* const program = bar.workbench.program();
    if (!bar.workbench.shows_program()) {
        menu.add({.name = "0",
                  .title = value_of_program_item(bar.workbench, BarItem::kLaunch),
                  .current = true},
                 {});
    } else if (program != nullptr && program->run) {
        for (std::uint32_t i = 0; i < program->listed().size(); ++i) {
            const program::LaunchSummary& launch = program->listed()[i];
            menu.add(
                {.name = std::to_string(i),
                 .title = std::to_string(launch.number) + " " + launch.kernel,
                 .detail = launch_extents_text(launch, kBy) + " threads; " + recording_text(launch),
                 .current = program->listed_launch() == i},
                bar, ChooseLaunch{i});
        }
    }
    return menu;
}

BarMenu block_menu(Bar& bar) {
    BarMenu menu;
    const Replay* const replay = bar.workbench.replay();
    if (replay == nullptr) return menu;
    const Trace& trace = replay->trace();
    const std::string typed = typed_in_menu("chip.block");
    if (trace.chosen_blocks.empty()) {
        const std::uint64_t count = trace.launch.grid.count();
        for (std::uint32_t block = 0; block < std::min(count, kMostBlocks); ++block)
            add_block(bar, menu, block, typed);
    } else {
        for (const std::uint32_t block : trace.chosen_blocks)
            if (menu.rows.size() < kMostBlocks) add_block(bar, menu, block, typed);
        if (bar.workbench.shows_program()) add_unrecorded(bar, menu, typed);
    }
    const std::optional<std::uint32_t> asked = block_typed(trace.launch.grid, typed);
    const bool listed = std::ranges::any_of(menu.rows, &MenuRow::typed);
    if (asked && !listed && (is_chosen(trace, *asked) || bar.workbench.can_record(*asked)))
        add_block(bar, menu, *asked, typed);
    return menu;
}

BarMenu program_menu(Bar& bar) {
    BarMenu menu;
    menu.add({.name = "open", .title = "Open a file (Ctrl+O)"},
             [&bar](const MenuChoice&) { bar.memory.show_files(true); });
    if (bar.workbench.program() != nullptr)
        menu.add({.name = "again", .title = "Compile and run again (Ctrl+R)"}, bar,
                 RunProgramAgain{});
    const std::vector<std::filesystem::path>& recent = bar.memory.parts().files.recent;
    constexpr std::size_t kMostRecent = 6;
    if (!recent.empty()) menu.heading("recent", "Recent files");
    for (std::size_t i = 0; i < std::min(recent.size(), kMostRecent); ++i)
        menu.add({.name = "recent." + std::to_string(i),
                  .title = recent[i].filename().string(),
                  .detail = recent[i].parent_path().string()},
                 bar, OpenFile{recent[i], false});
    menu.heading("ladder", "Tilereel's own kernels");
    add_ladder(bar, menu);
    return menu;
}

}  // namespace tilereel
