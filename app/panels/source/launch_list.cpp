#include "app/panels/source/launch_list.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/measure.h"
#include "app/panels/memory.h"
#include "app/replay/wording.h"
#include "app/ui/scroll_bar.h"
#include "app/ui/widgets.h"

namespace tilereel {
namespace {

// "4 x 4" or "8": trailing extents of 1 are left out.
std::string extents_of(const Dim3& extents) {
    std::string words = with_commas(extents.x);
    if (extents.y > 1 || extents.z > 1) words += " \xc3\x97 " + with_commas(extents.y);
    if (extents.z > 1) words += " \xc3\x97 " + with_commas(extents.z);
    return words;
}

std::string launch_extents_text(const plain::LaunchSummary& launch) {
    const std::uint64_t blocks = launch.grid.count();
    return extents_of(launch.grid) + (blocks == 1 ? " block of " : " blocks of ") +
           extents_of(launch.block);
}

std::string recording_text(const plain::LaunchSummary& launch) {
    if (launch.trace.empty())
        return launch.reason.empty() ? std::string("not recorded") : launch.reason;
    const std::uint64_t blocks = launch.grid.count();
    if (launch.recorded_blocks >= blocks) return blocks == 1 ? "recorded" : "all blocks recorded";
    return with_commas(launch.recorded_blocks) + " of " + with_commas(blocks) + " blocks recorded";
}

// "512 sectors, 896 conflicts". Empty if the launch has not been counted.
std::string counts_text(const OpenedProgram& program, std::uint32_t launch) {
    if (program.running || launch >= program.counts.size() || !program.counts[launch]) return {};
    const LaunchCounts& counts = *program.counts[launch];
    std::string words =
        with_commas(counts.sectors) + (counts.sectors == 1 ? " sector" : " sectors");
    if (counts.wavefronts > 0)
        words += ", " + with_commas(counts.conflicts) +
                 (counts.conflicts == 1 ? " bank conflict" : " bank conflicts");
    return words;
}

// "3 findings", "1 new finding". Empty if there is none.
std::string launch_findings_text(const plain::LaunchSummary& launch, std::uint32_t index,
                                 bool shown, const HazardTexts& words, bool running) {
    if (launch.findings.empty()) return {};
    const auto fresh = std::ranges::count_if(words.findings, [&](const ListedFinding& one) {
        return one.is_new && (shown ? one.recorded.has_value() : one.launch == index);
    });
    if (fresh > 0 && !running)
        return counted(static_cast<std::uint64_t>(fresh), "new finding", "new findings");
    return counted(launch.findings.size(), "finding", "findings");
}

// Draws one cell for each block. A recorded block is filled, the watched one solid. A large grid is
// not drawn.
float draw_grid(ProgramScope& panel, const plain::LaunchSummary& launch, bool shown,
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

void draw_launch(ProgramScope& panel, const plain::LaunchSummary& launch, const Rect& row,
                 std::uint32_t index) {
    const Look& look = panel.look;
    const Palette& colors = look.colors();
    const bool shown = !panel.program.running && panel.program.launch == index;
    const Touch touch = touch_area(look, "program.launch." + std::to_string(index), row,
                                   panel.program.running ? "" : "Watch this launch (, and .)");
    draw_row_mark(look, row, shown, touch.hovered);
    if (touch.clicked && !panel.program.running) panel.commands.push_back(ChooseLaunch{index});
    const float px = type_px(look, 14), small = type_px(look, 13);
    const float first = row.y + row.h * 0.31f, second = row.y + row.h * 0.71f;
    float x = row.x + look.px(10);
    x +=
        draw_text({x, first}, std::to_string(launch.number + 1), {Face::kMono, small, colors.ink3});
    x += look.wide();
    const Rect map{row.right() - look.px(10) - row.w * 0.22f, row.y + look.tight(), row.w * 0.22f,
                   row.h - look.gap()};
    const float map_w = draw_grid(panel, launch, shown, map);
    const float right = row.right() - look.px(10) - map_w;
    const std::string findings =
        launch_findings_text(launch, index, shown, panel.hazards, panel.program.running);
    const float findings_w =
        findings.empty() ? 0 : text_width(findings, Face::kSemiBold, small) + look.px(10);
    // The findings are below the kernel's name if they would shorten it.
    const bool beside = x + text_width(launch.kernel, Face::kSemiBold, px) + findings_w <= right;
    if (!findings.empty())
        draw_text({right, beside ? first : second}, findings,
                  {Face::kSemiBold, small, colors.conflict, Align::kRight});
    const float end = beside ? right - findings_w : right;
    const float room_below = right - x - (beside ? 0 : findings_w);
    const std::string extents = launch_extents_text(launch);
    const float extents_w = text_width(extents, Face::kRegular, small) + look.px(10);
    const bool fits = text_width(launch.kernel, Face::kSemiBold, px) + extents_w <= end - x;
    const float name = draw_text_fit({x, first}, fits ? end - extents_w - x : end - x,
                                     launch.kernel, {Face::kSemiBold, px, colors.ink});
    if (fits)
        draw_text({x + name + look.px(10), first}, extents, {Face::kRegular, small, colors.ink2});
    const std::string counts = counts_text(panel.program, index);
    const std::string recorded = recording_text(launch);
    const std::string accesses = with_commas(launch.accesses) + " accesses";
    // The longest text that fits. The counters have priority, because the map of blocks shows how
    // much was recorded.
    const bool in_part = launch.recorded_blocks < launch.grid.count();
    std::vector<std::string> choices = {recorded + ", " + accesses + "; " + counts,
                                        recorded + "; " + counts, counts, recorded, accesses};
    if (in_part && map_w <= 0) std::swap(choices[2], choices[3]);
    if (!fits) choices = {extents + "; " + counts, extents};
    if (launch.trace.empty() || counts.empty())
        choices =
            fits || launch.trace.empty() ? std::vector{recorded, accesses} : std::vector{extents};
    std::string_view below = first_that_fits(choices, room_below, Face::kRegular, small);
    if (below.empty()) below = launch.trace.empty() ? recorded : choices.back();
    draw_text_fit({x, second}, room_below, below,
                  {Face::kRegular, small, launch.trace.empty() ? colors.wait_text : colors.ink3});
}

}  // namespace

float launch_height(const Look& look) {
    const float two_lines = 1.3f * (type_px(look, 14) + type_px(look, 13));
    return std::round(std::max(row_px(look, 46), two_lines));
}

void draw_launches(ProgramScope& panel, const Rect& area) {
    if (area.h <= 0) return;  // large text in a low window leaves no room
    const Look& look = panel.look;
    // While the program runs, these are the launches that have finished.
    const std::vector<plain::LaunchSummary>& launches = panel.program.running || !panel.program.run
                                                            ? panel.program.stage.launches
                                                            : panel.program.run->launches;
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
