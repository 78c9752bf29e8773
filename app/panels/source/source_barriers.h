#pragma once
// Barriers in the source panel: the control in the gutter that leaves one out, and a line that is
// left out.
#include "app/ui/draw.h"
#include "app/workbench/command.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// The kernel whose barriers can be left out by the lines of `source`; nullptr if `source` is not
// its text as it is built in.
[[nodiscard]] const KernelInfo* kernel_with_lines(const Workbench& workbench,
                                                  std::string_view source);
[[nodiscard]] bool is_barrier(const KernelInfo* kernel, std::uint32_t line);

// The control of one line, drawn in the left `marks` pixels of `gutter` (as much of the row's as
// can be seen). Registered as source.barrier.<line>; returns what a click asks for.
Commands draw_barrier_control(const Look& look, const Rect& gutter, float marks, std::uint32_t line,
                              const Workbench& workbench);
// Strikes out the code from `code` (its left edge, the middle of its capitals) to `code_right`, and
// says "left out" behind it, no further than `right`.
void draw_left_out(const Look& look, ImVec2 code, float code_right, float right, float px);

// What Shift+B asks for: the first barrier left out, then the next, then none. Empty if the kernel
// has no barrier.
[[nodiscard]] Commands next_barrier_left_out(const Workbench& workbench);

}  // namespace tilereel
