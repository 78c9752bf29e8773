// The chips of an open program: which one, which of its launches, which block.
#include <algorithm>

#include "app/panels/top_bar_items.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kMostBlocks = 1024;  // that a menu lists

std::string extents_text(const Dim3& extents) {
    std::string words = with_commas(extents.x);
    if (extents.y > 1 || extents.z > 1) words += "\xc3\x97" + with_commas(extents.y);
    if (extents.z > 1) words += "\xc3\x97" + with_commas(extents.z);
    return words;
}

// "2", "2,1" or "2,1,0": as many extents as the grid has.
std::string block_text(const Dim3& grid, std::uint32_t block) {
    const Dim3 at = index_of(grid, block);
    std::string name = std::to_string(at.x);
    if (grid.y > 1 || grid.z > 1) name += "," + std::to_string(at.y);
    if (grid.z > 1) name += "," + std::to_string(at.z);
    return name;
}

// A template's arguments can be long.
std::string kernel_text(const std::string& kernel) {
    constexpr std::size_t kLongest = 24;
    if (kernel.size() <= kLongest) return kernel;
    const std::size_t arguments = kernel.find('<');
    if (arguments != std::string::npos && arguments + 3 <= kLongest)
        return kernel.substr(0, arguments) + "<\xe2\x80\xa6>";
    return kernel.substr(0, kLongest) + "\xe2\x80\xa6";
}

std::string recorded_text(const plain::LaunchSummary& launch) {
    if (launch.trace.empty())
        return launch.reason.empty() ? std::string("Not recorded.") : launch.reason;
    const std::uint64_t blocks = launch.grid.count();
    std::string words = extents_text(launch.grid) + (blocks == 1 ? " block of " : " blocks of ") +
                        extents_text(launch.block) + " threads; ";
    if (launch.recorded_blocks >= blocks)
        words += blocks == 1 ? "recorded" : "all recorded";
    else
        words += with_commas(launch.recorded_blocks) + " of them recorded";
    return words;
}

std::vector<MenuRow> rows_of_launches(const OpenedProgram& program) {
    std::vector<MenuRow> rows;
    for (std::uint32_t i = 0; i < program.run->launches.size(); ++i) {
        const plain::LaunchSummary& launch = program.run->launches[i];
        rows.push_back({.name = std::to_string(i),
                        .title = std::to_string(launch.number + 1) + " " + launch.kernel,
                        .detail = recorded_text(launch),
                        .current = program.launch == i});
    }
    return rows;
}

void draw_launch_chip(Bar& bar, const Rect& rect) {
    const OpenedProgram* const program = bar.workbench.program();
    if (program == nullptr || !program->run) return;
    const std::vector<MenuRow> rows = rows_of_launches(*program);
    const int row = menu_chip(bar.look, "chip.launch", rect, bar.short_form ? "" : "launch",
                              value_of_program_item(bar.workbench, BarItem::kLaunch), rows,
                              "The launch that is watched (, and .)")
                        .row;
    if (row >= 0) bar.commands.push_back(ChooseLaunch{static_cast<std::uint32_t>(row)});
}

void draw_block_chip(Bar& bar, const Rect& rect) {
    const Replay* const replay = bar.workbench.replay();
    if (replay == nullptr) return;
    const Trace& trace = replay->trace();
    std::vector<MenuRow> rows;
    std::vector<std::uint32_t> blocks;
    const std::uint64_t count = trace.launch.grid.count();
    for (std::uint32_t block = 0; block < count && rows.size() < kMostBlocks; ++block) {
        if (!is_chosen(trace, block)) continue;
        rows.push_back({.name = std::to_string(block),
                        .title = block_text(trace.launch.grid, block),
                        .current = block == replay->block()});
        blocks.push_back(block);
    }
    const int row = menu_chip(bar.look, "chip.block", rect, bar.short_form ? "" : "block",
                              value_of_program_item(bar.workbench, BarItem::kBlock), rows,
                              "The block that is watched; those that were recorded")
                        .row;
    if (row < 0) return;
    const std::uint32_t block = blocks[static_cast<std::size_t>(row)];
    bar.commands.push_back(WatchBlock{block % trace.launch.grid.x, block / trace.launch.grid.x});
}

void draw_program_chip(Bar& bar, const Rect& rect) {
    std::vector<MenuRow> rows = {{.name = "open", .title = "Open a file (Ctrl+O)"},
                                 {.name = "again", .title = "Compile and run again (F5)"}};
    const std::vector<std::filesystem::path>& recent = bar.memory.state().recent_files;
    constexpr std::size_t kMostRecent = 6;
    const std::size_t first_recent = rows.size() + 1;
    const std::size_t listed = std::min(recent.size(), kMostRecent);
    if (listed > 0) rows.push_back({.name = "recent", .title = "Recent files", .heading = true});
    for (std::size_t i = 0; i < listed; ++i)
        rows.push_back({.name = "recent." + std::to_string(i),
                        .title = recent[i].filename().string(),
                        .detail = recent[i].parent_path().string()});
    rows.push_back({.name = "ladder", .title = "Tilereel's own kernels", .heading = true});
    const std::size_t first_kernel = rows.size();
    const std::vector<MenuRow> ladder = rows_of_ladder(bar.workbench);
    rows.insert(rows.end(), ladder.begin(), ladder.end());
    const int row = menu_chip(bar.look, "chip.program", rect, bar.short_form ? "" : "program",
                              value_of_program_item(bar.workbench, BarItem::kProgram), rows,
                              "The program that is open")
                        .row;
    if (row < 0) return;
    const auto chosen = static_cast<std::size_t>(row);
    if (chosen == 0)
        bar.memory.show_files(true);
    else if (chosen == 1)
        bar.commands.push_back(RunProgramAgain{});
    else if (chosen >= first_kernel)
        bar.commands.push_back(SetKernel{rows[chosen].name});
    else
        bar.memory.state().file_asked = recent[chosen - first_recent];
}

}  // namespace

std::string value_of_program_item(const Workbench& workbench, BarItem item) {
    const OpenedProgram* const program = workbench.program();
    if (program == nullptr) return {};
    if (item == BarItem::kProgram) return program->name();
    if (item == BarItem::kLaunch) {
        if (!program->run || !program->launch || *program->launch >= program->run->launches.size())
            return "none";
        const plain::LaunchSummary& launch = program->run->launches[*program->launch];
        return std::to_string(launch.number + 1) + " " + kernel_text(launch.kernel);
    }
    const Replay* const replay = workbench.replay();
    if (replay == nullptr) return "none";
    const Dim3& grid = replay->trace().launch.grid;
    return block_text(grid, replay->block()) + " of " + extents_text(grid);
}

void draw_program_item(Bar& bar, BarItem item, const Rect& rect) {
    if (item == BarItem::kProgram) return draw_program_chip(bar, rect);
    if (item == BarItem::kLaunch) return draw_launch_chip(bar, rect);
    draw_block_chip(bar, rect);
}

}  // namespace tilereel
