#include "app/panels/source/launch_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/measure.h"
#include "app/panels/panel_memory.h"
#include "app/panels/recorded_text.h"
#include "app/replay/sentence/wording.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {
namespace {

// "512 sectors, 896 conflicts". Empty if the launch has not been counted.
std::string counts_text(const OpenedProgram& program, std::uint32_t launch) {
    if (program.running || launch >= program.counts.size() || !program.counts[launch]) return {};
    const LaunchCounts& counts = *program.counts[launch];
    std::string words = counted(counts.sectors, "sector", "sectors");
    if (counts.wavefronts > 0)
        words += ", " + counted(counts.conflicts, "bank conflict", "bank conflicts");
    return words;
}

// "3 findings", "1 new finding". Empty if there is none.
std::string launch_findings_text(const program::LaunchSummary& launch, std::uint32_t index,
                                 bool shown, const HazardTexts& words, bool running) {
    std::uint64_t all = 0, fresh = 0;  // as listed
    for (const ListedFinding& one : words.findings) {
        // A finding of the whole program counts at the shown launch, as in the inspector.
        if (running || (shown ? one.launch && one.launch != index : one.launch != index)) continue;
        ++all;
        if (one.is_new) ++fresh;
    }
    if (fresh > 0) return counted(fresh, "new finding", "new findings");
    all = std::max<std::uint64_t>(all, launch.findings.size());
    return all == 0 ? std::string() : counted(all, "finding", "findings");
}

// Draws one cell for each block: filled if the block was recorded, green if it is watched. Draws
// nothing for a large grid or a launch that was not recorded. Returns the width in pixels.
float draw_grid(ProgramScope& panel, const program::LaunchSummary& launch, bool shown,
                const Rect& room) {
    constexpr std::uint64_t kMostCells = 256;
    const Dim3& grid = launch.grid;
    const std::uint64_t columns = grid.x, rows = std::uint64_t{grid.y} * grid.z;
    if (grid.count() > kMostCells || launch.trace.empty()) return 0;
    const float pitch = std::floor(std::min({room.w / static_cast<float>(columns),
                                             room.h / static_cast<float>(rows), panel.look.gap()}));
    if (pitch < 3) return 0;
    const Palette& colors = panel.colors();
    const float width = pitch * static_cast<float>(columns);
    for (std::uint32_t block = 0; block < grid.count(); ++block) {
        const bool recorded =
            launch.chosen_blocks.empty() || std::ranges::binary_search(launch.chosen_blocks, block);
        const Rect cell{room.right() - width + static_cast<float>(block % columns) * pitch,
                        room.y + (room.h - pitch * static_cast<float>(rows)) / 2 +
                            static_cast<float>(block / columns) * pitch,
                        pitch - 1, pitch - 1};
        const bool watched = shown && panel.block == block;
        if (recorded)
            fill_rect(cell, watched ? colors.c : colors.ink3, 1);
        else
            stroke_rect(cell, colors.ink3, 1, 1);
    }
    return width + panel.look.wide();
}

// Draws the number, the kernel and its findings; below them its extents, and its counters or what
// was recorded. The tip has all of these but the number and the findings, and the accesses.
void draw_launch(ProgramScope& panel, const program::LaunchSummary& launch, const Rect& row,
                 std::uint32_t index) {
    const Look& look = panel.look;
    const Palette& colors = look.colors();
    const bool running = panel.program.running, shown = panel.program.listed_launch() == index;
    const std::string extents = launch_extents_text(launch), recorded = recording_text(launch),
                      counts = counts_text(panel.program, index);
    const Interaction touch = interact(
        look, "program.launch." + std::to_string(index), row,
        launch.kernel + ": " + extents + "; " + recorded + ", " + with_commas(launch.accesses) +
            " accesses" + (counts.empty() ? "" : "; " + counts) +
            (running ? ". A click watches it (, and .); the program goes on"
                     : ". A click watches this launch (, and .)"));
    draw_row_mark(look, row, shown, touch.hovered);
    if (touch.clicked) panel.commands.push_back(ChooseLaunch{index});
    const float px = type_px(look, 14), small = type_px(look, 13), pad = look.px(10);
    const float first = row.y + row.h * 0.31f, second = row.y + row.h * 0.71f;
    const float map_w = row.w * 0.22f;
    const float left = row.x + pad +
                       draw_text({row.x + pad, first}, std::to_string(launch.number),
                                 {Face::kMono, small, colors.ink3}) +
                       look.wide();
    const float right =
        row.right() - pad -
        draw_grid(panel, launch, shown,
                  {row.right() - pad - map_w, row.y + look.tight(), map_w, row.h - look.gap()});
    const std::string findings = launch_findings_text(launch, index, shown, panel.hazards, running);
    const float used = findings.empty() ? 0 : text_width(findings, Face::kSemiBold, small) + pad;
    const float name = text_width(launch.kernel, Face::kSemiBold, px);
    const bool beside = name + used <= right - left;  // the findings fit on the first line
    draw_text({right, beside ? first : second}, findings,
              {Face::kSemiBold, small, colors.conflict, Align::kRight});
    draw_text_fit({left, first}, right - left, launch.kernel, {Face::kSemiBold, px, colors.ink});
    const float room = right - left - (beside ? 0 : used);
    const bool is_short = launch.left_out_blocks > 0 || !launch.cut_blocks.empty();
    const std::string& tail = counts.empty() || is_short ? recorded : counts;
    const std::string lack = launch.left_out_blocks > 0
                                 ? with_commas(launch.left_out_blocks) + " blocks left out"
                             : is_short ? "cut off at the budget"
                                        : tail;
    const std::array<std::string, 4> choices = {extents + "; " + tail, tail, lack, extents};
    const std::string_view words = first_that_fits(choices, room, Face::kRegular, small);
    draw_text_fit({left, second}, room, words.empty() ? extents : words,
                  {Face::kRegular, small, launch.trace.empty() ? colors.wait_text : colors.ink3});
}

}  // namespace

std::string launch_extents_text(const program::LaunchSummary& launch, std::string_view by) {
    return extents_text(launch.grid, by) +
           (launch.grid.count() == 1 ? " block of " : " blocks of ") +
           extents_text(launch.block, by);
}

std::string recording_text(const program::LaunchSummary& launch) {
    if (launch.trace.empty())
        return launch.reason.empty() ? std::string("not recorded") : launch.reason;
    const std::uint64_t blocks = launch.grid.count();
    std::string rest;
    if (!launch.cut_blocks.empty())
        rest = launch.recorded_blocks == 1 ? ", cut off at the budget"
                                           : ", " + with_commas(launch.cut_blocks.size()) +
                                                 " of them cut off at the budget";
    if (launch.left_out_blocks > 0)
        rest += ", " + with_commas(launch.left_out_blocks) + " left out (about " +
                with_commas(launch.left_out_seconds) + " s)";
    if (launch.recorded_blocks >= blocks)
        return (blocks == 1 ? "recorded" : "all blocks recorded") + rest;
    return with_commas(launch.recorded_blocks) + " of " + with_commas(blocks) + " blocks recorded" +
           rest;
}

float launch_height(const Look& look) {
    return std::round(1.7f * (type_px(look, 14) + type_px(look, 13)));
}

void draw_launches(ProgramScope& panel, const Rect& area) {
    if (area.h <= 0) return;  // large text in a low window leaves no room
    const Look& look = panel.look;
    const std::vector<program::LaunchSummary>& launches = panel.program.listed();
    const std::size_t count = launches.size();
    const float h = launch_height(look), pitch = h + look.tight();
    const ScrollArea rows(look, area, static_cast<float>(count) * pitch, panel.memory.scroll);
    for (std::uint32_t i = 0; i < count; ++i)
        if (const float y = rows.top() + static_cast<float>(i) * pitch; rows.shows(y, h))
            draw_launch(panel, launches[i], {area.x, std::round(y), area.w, h}, i);
    if (count == 0 && !panel.program.running)
        draw_text_fit({area.x, area.y + h / 2}, area.w, "The program launched no kernel",
                      {Face::kRegular, type_px(look, 14), panel.colors().ink2});
}

}  // namespace tilereel
