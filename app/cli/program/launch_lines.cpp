#include "app/cli/program/launch_lines.h"

#include <filesystem>
#include <map>

#include "app/cli/typed_numbers.h"
#include "instrumentation/analysis/hazards/hazards.h"

namespace tilereel {
namespace {

std::string extents_text(const Dim3& d) {
    return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z);
}

}  // namespace

std::string finding_lines(const std::vector<RecordedFinding>& findings) {
    std::string text;
    for (const RecordedFinding& finding : findings)
        text += "FINDING: " + sentence_of(finding) + "\n";
    return text;
}

std::string launch_head(const program::LaunchSummary& launch) {
    std::string text = "LAUNCH " + std::to_string(launch.number) + ": " + launch.kernel + ", " +
                       std::filesystem::path(launch.file).filename().string() + " line " +
                       std::to_string(launch.line) + ", grid " + extents_text(launch.grid) +
                       ", block " + extents_text(launch.block) + "\n";
    if (!launch.reason.empty()) return text + "Not recorded: " + launch.reason + "\n";
    if (!launch.chosen_blocks.empty())
        text += "Recorded: " + with_commas(launch.recorded_blocks) + " of " +
                with_commas(launch.grid.count()) + " blocks\n";
    if (launch.uses_textures)
        text +=
            "Textures: accesses through the texture cache are not recorded; their sectors are "
            "not counted\n";
    if (launch.uses_cub)
        text +=
            "CUB: results are CUB's; the accesses inside a primitive are those of Tilereel's own "
            "code, told of the line that calls it\n";
    if (!launch.cut_blocks.empty())
        text += "Cut off: " + std::to_string(launch.cut_blocks.size()) +
                (launch.cut_blocks.size() == 1 ? " block is" : " blocks are") +
                " longer than the budget of accesses and recorded up to it (block " +
                std::to_string(launch.cut_blocks.front()) +
                "); the rest ran without being recorded. --accesses raises the budget\n";
    return text;
}

std::string rest_lines(const program::LaunchSummary& launch) {
    const std::string of = " of launch " + std::to_string(launch.number) + ": ";
    if (launch.left_out_blocks > 0)
        return "Left out" + of + with_commas(launch.left_out_blocks) +
               " blocks, which need about " + with_commas(launch.left_out_seconds) +
               " seconds. What the program computes is therefore not complete, and its own check "
               "can fail; --all-blocks runs them\n";
    if (launch.rest_blocks == 0) return {};
    return "The rest" + of + with_commas(launch.rest_blocks) +
           " blocks run without being recorded, for about " + with_commas(launch.rest_seconds) +
           " seconds\n";
}

std::string not_counted_text(const program::LaunchSummary& launch) {
    return "interrupted. --launch " + std::to_string(launch.number) + " counts it";
}

std::string unrecorded_lines(const std::vector<program::LaunchSummary>& launches) {
    struct Group {
        std::uint64_t count = 0;
        std::uint32_t first = 0, last = 0;
    };
    std::map<std::string, Group> groups;
    for (const program::LaunchSummary& launch : launches) {
        if (launch.is_recorded) continue;
        Group& group =
            groups[launch.kernel + ", " + std::filesystem::path(launch.file).filename().string() +
                   " line " + std::to_string(launch.line)];
        if (group.count++ == 0) group.first = launch.number;
        group.last = launch.number;
    }
    if (groups.empty()) return {};
    std::string text =
        "NOT RECORDED: the budget of accesses is used up; --launch N records launch N\n";
    for (const auto& [place, group] : groups)
        text += with_commas(group.count) + (group.count == 1 ? " launch of " : " launches of ") +
                place + ": " + std::to_string(group.first) +
                (group.count == 1 ? std::string() : " to " + std::to_string(group.last)) + "\n";
    return text + "\n";
}

}  // namespace tilereel
