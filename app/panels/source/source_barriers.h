#pragma once
// Barriers in the source panel: the control in the gutter that leaves a barrier out, and the look
// of a line that is left out.
#include "app/ui/draw/draw.h"
#include "app/workbench/command.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// The watched kernel, if `source` is its text as compiled into this program, so that a line number
// of `source` identifies a barrier to leave out. Otherwise nullptr.
[[nodiscard]] const KernelInfo* kernel_with_lines(const Workbench& workbench,
                                                  std::string_view source);
[[nodiscard]] bool is_barrier(const KernelInfo* kernel, std::uint32_t line);

// Draws the control of one line in the left `marks` pixels of `gutter`, which is the visible part
// of the row. Registered as source.barrier.<line>. Returns the commands of a click.
Commands draw_barrier_control(const Look& look, const Rect& gutter, float marks, std::uint32_t line,
                              const Workbench& workbench);
// Strikes out the code from `code` (left edge, middle of the capital letters) to `code_right` and
// draws "left out" after it, but not beyond `right`.
void draw_left_out(const Look& look, ImVec2 code, float code_right, float right, float px);

// The commands of Shift+B: leave out the first barrier, then the next one, then none. Empty if the
// kernel has no barrier.
[[nodiscard]] Commands next_barrier_left_out(const Workbench& workbench);

}  // namespace tilereel
