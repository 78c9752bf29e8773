#pragma once
// The state of the open program in words, and its colour.
#include <string>

#include "app/ui/theme.h"
#include "app/workbench/program/program_bench.h"

namespace tilereel {

struct RunState {
    std::string words;
    ImU32 color = 0;
};
// What the program does, or how its last run ended and after how long.
[[nodiscard]] RunState state_of(const OpenedProgram& program, const Palette& colors);
// Whether the last run could not start, or did not compile.
[[nodiscard]] bool has_errors(const OpenedProgram& program);

}  // namespace tilereel
