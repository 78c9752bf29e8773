// The chips of the open program: the program, the launch and the block.
#include <algorithm>
#include <optional>

#include "app/panels/bar/top_bar_items.h"
#include "app/replay/block_name.h"

namespace tilereel {
namespace {

constexpr std::uint64_t kMostBlocks = 1024;  // the longest list of blocks in a menu

std::string extents_text(const Dim3& extents) {
    std::string words = with_commas(extents.x);
    if (extents.y > 1 || extents.z > 1) words += "\xc3\x97" + with_commas(extents.y);
    if (extents.z > 1) words += "\xc3\x97" + with_commas(extents.z);
    return words;
}

// Shortens the name, because a template's arguments can be long.
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

// Draws the chip of the launch. For a trace, it shows the only launch that the trace holds.
void draw_launch_chip(Bar& bar, const Rect& rect) {
    const OpenedProgram* const program = bar.workbench.program();
    const bool of_trace = !bar.workbench.shows_program();
    if (!of_trace && (program == nullptr || !program->run)) return;
    const std::string shown = value_of_program_item(bar.workbench, BarItem::kLaunch);
    const std::vector<MenuRow> rows =
        of_trace ? std::vector<MenuRow>{{.name = "0", .title = shown, .current = true}}
                 : rows_of_launches(*program);
    const int row =
        menu_chip(
            bar.look, "chip.launch", rect, bar.short_form ? "" : "launch", shown, rows,
            of_trace ? "The launch that the trace holds" : "The launch that is watched (, and .)")
            .row;
    if (row >= 0 && !of_trace)
        bar.commands.push_back(ChooseLaunch{static_cast<std::uint32_t>(row)});
}

// Parses "17,4" as a block of the grid. nullopt if there is no such block.
std::optional<std::uint32_t> block_typed(const Dim3& grid, const std::string& typed) {
    std::uint64_t at[3] = {0, 0, 0};
    std::size_t extent = 0, digits = 0;
    for (const char c : typed) {
        if (c == ',' && digits > 0 && extent < 2) {
            ++extent;
            digits = 0;
        } else if (c >= '0' && c <= '9' && digits < 9) {
            at[extent] = 10 * at[extent] + static_cast<std::uint64_t>(c - '0');
            ++digits;
        } else {
            return std::nullopt;
        }
    }
    if (digits == 0 || at[0] >= grid.x || at[1] >= grid.y || at[2] >= grid.z) return std::nullopt;
    const auto block = static_cast<std::uint32_t>((at[2] * grid.y + at[1]) * grid.x + at[0]);
    return block_name(grid, block) == typed ? std::optional(block) : std::nullopt;
}

// Menu rows, and the block of each row.
struct BlockRows {
    std::vector<MenuRow> rows;
    std::vector<std::uint32_t> blocks;
    void add_heading(const char* name, std::string title) {
        rows.push_back({.name = name, .title = std::move(title), .heading = true});
        blocks.push_back(0);
    }
    void add(const Replay& replay, std::uint32_t block, const std::string& typed) {
        const std::string title = block_name(replay.trace().launch.grid, block);
        rows.push_back({.name = std::to_string(block),
                        .title = title,
                        .current = block == replay.block(),
                        .typed = title == typed});
        blocks.push_back(block);
    }
};

// If the blocks were not recorded: adds the blocks around the watched one.
void add_unrecorded(const Replay& replay, const std::string& typed, BlockRows& to) {
    const Trace& trace = replay.trace();
    const std::uint64_t count = trace.launch.grid.count();
    const std::uint64_t before = std::min<std::uint64_t>(replay.block(), kMostBlocks / 2);
    const std::uint64_t first =
        std::min(replay.block() - before, count - std::min(count, kMostBlocks));
    const std::uint64_t end = std::min(count, first + kMostBlocks);
    to.add_heading("unrecorded",
                   "Not recorded: runs again with the block. Choose, or type " +
                       block_name(trace.launch.grid, static_cast<std::uint32_t>(count - 1)));
    for (std::uint64_t block = first; block < end; ++block)
        if (!is_chosen(trace, static_cast<std::uint32_t>(block)))
            to.add(replay, static_cast<std::uint32_t>(block), typed);
}

void draw_block_chip(Bar& bar, const Rect& rect) {
    const Replay* const replay = bar.workbench.replay();
    if (replay == nullptr) return;
    const Trace& trace = replay->trace();
    const std::uint64_t count = trace.launch.grid.count();
    const std::string typed = typed_in_menu("chip.block");
    BlockRows choices;
    if (trace.chosen_blocks.empty()) {
        for (std::uint32_t block = 0; block < std::min(count, kMostBlocks); ++block)
            choices.add(*replay, block, typed);
    } else {
        for (const std::uint32_t block : trace.chosen_blocks) {
            if (choices.rows.size() >= kMostBlocks) break;
            choices.add(*replay, block, typed);
        }
        if (bar.workbench.shows_program()) add_unrecorded(*replay, typed, choices);
    }
    const std::optional<std::uint32_t> asked = block_typed(trace.launch.grid, typed);
    const bool listed = std::ranges::any_of(choices.rows, &MenuRow::typed);
    if (asked && !listed && (is_chosen(trace, *asked) || bar.workbench.can_record(*asked)))
        choices.add(*replay, *asked, typed);
    const int row = menu_chip(bar.look, "chip.block", rect, bar.short_form ? "" : "block",
                              value_of_program_item(bar.workbench, BarItem::kBlock), choices.rows,
                              "The block that is watched (K)")
                        .row;
    if (row < 0) return;
    const std::uint32_t block = choices.blocks[static_cast<std::size_t>(row)];
    bar.commands.push_back(WatchBlock{block % trace.launch.grid.x, block / trace.launch.grid.x});
}

void draw_program_chip(Bar& bar, const Rect& rect) {
    std::vector<MenuRow> rows = {{.name = "open", .title = "Open a file (Ctrl+O)"}};
    if (bar.workbench.program() != nullptr)
        rows.push_back({.name = "again", .title = "Compile and run again (Ctrl+R)"});
    const std::vector<std::filesystem::path>& recent = bar.memory.parts().files.recent;
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
    if (rows[chosen].name == "open")
        bar.memory.show_files(true);
    else if (rows[chosen].name == "again")
        bar.commands.push_back(RunProgramAgain{});
    else if (chosen >= first_kernel)
        bar.commands.push_back(SetKernel{rows[chosen].name});
    else
        bar.memory.parts().files.chosen = recent[chosen - first_recent];
}

}  // namespace

std::string value_of_program_item(const Workbench& workbench, BarItem item) {
    const OpenedProgram* const program = workbench.shows_program() ? workbench.program() : nullptr;
    if (program == nullptr && item != BarItem::kBlock) {
        if (workbench.recording() == nullptr) return {};
        const Trace& trace = *workbench.recording()->trace;
        return item == BarItem::kProgram
                   ? std::filesystem::path(trace.source_name).filename().string()
                   : std::to_string(trace.launch.number + 1) + " " +
                         kernel_text(trace.launch.kernel);
    }
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
    return block_name(grid, replay->block()) + " of " + extents_text(grid);
}

void draw_program_item(Bar& bar, BarItem item, const Rect& rect) {
    if (item == BarItem::kProgram) return draw_program_chip(bar, rect);
    if (item == BarItem::kLaunch) return draw_launch_chip(bar, rect);
    draw_block_chip(bar, rect);
}

}  // namespace tilereel
