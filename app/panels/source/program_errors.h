#pragma once
// Why a program does not compile: plain words first, its line, then what the compiler says.
#include "app/ui/draw.h"
#include "app/workbench/program_bench.h"

namespace tilereel {

// `scroll`: by how much the errors are scrolled, pixels; kept in range.
void draw_program_errors(const Look& look, const Rect& area, const OpenedProgram& program,
                         float& scroll);

}  // namespace tilereel
