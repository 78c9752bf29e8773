#pragma once
// The launches of a program, a row each.
#include <cstdint>
#include <optional>

#include "app/panels/inspector/hazards_section.h"
#include "app/panels/panels.h"

namespace tilereel {

// What the parts of the program's panel read, and what they ask for.
struct ProgramScope {
    const Look& look;
    const OpenedProgram& program;
    ProgramMemory& memory;
    const HazardTexts& hazards;
    std::optional<std::uint32_t> block{};  // that is watched
    Commands commands{};
    [[nodiscard]] const Palette& colors() const { return look.colors(); }
};

[[nodiscard]] float launch_height(const Look& look);  // of a row
void draw_launches(ProgramScope& panel, const Rect& area);

}  // namespace tilereel
