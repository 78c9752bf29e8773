#pragma once
// The list of a program's launches, one row each.
#include <cstdint>
#include <optional>

#include "app/panels/inspector/hazards_section.h"
#include "app/panels/panels.h"

namespace tilereel {

// What the parts of the program panel read, and the commands that they add.
struct ProgramScope {
    const Look& look;
    const OpenedProgram& program;
    ProgramMemory& memory;
    const HazardTexts& hazards;
    std::optional<std::uint32_t> block{};  // the watched block
    Commands commands{};
    [[nodiscard]] const Palette& colors() const { return look.colors(); }
};

[[nodiscard]] float launch_height(const Look& look);  // height of a row, pixels
void draw_launches(ProgramScope& panel, const Rect& area);

// "4 x 4 blocks of 8 x 8".
[[nodiscard]] std::string launch_extents_text(const program::LaunchSummary& launch,
                                              std::string_view by = " \xc3\x97 ");
// How many of the launch's blocks were recorded, or why none was.
[[nodiscard]] std::string recording_text(const program::LaunchSummary& launch);

}  // namespace tilereel
