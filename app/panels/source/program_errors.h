#pragma once
// Why a program does not compile: for each error a plain description, the source line, and the
// compiler's message.
#include "app/ui/draw/draw.h"
#include "app/workbench/program/program_bench.h"

namespace tilereel {

// `scroll`: scroll position in pixels; it is clamped.
void draw_program_errors(const Look& look, const Rect& area, const OpenedProgram& program,
                         float& scroll);

}  // namespace tilereel
