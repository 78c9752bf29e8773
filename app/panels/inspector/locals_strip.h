#pragma once
// The iterations of the loop that changes a variable: the loop variable, and below it the value
// after each iteration. An iteration that has not run yet has a dot; the current one is bold.
#include "app/replay/locals.h"
#include "app/ui/draw.h"

namespace tilereel {

// Draws as many iterations as fit from the top left corner of `rect`; px: font size. Registered as
// locals.iterations. Returns the height in pixels: 0 if no loop changes the variable.
float draw_iterations(const Look& look, const Rect& rect, float px, const Replay& replay,
                      const WarpLocals& locals, std::size_t variable, std::uint32_t lane);
// The text of a value in a table. Long numbers are rounded.
[[nodiscard]] std::string short_text(const Trace& trace, const LocalVariable& variable,
                                     const LocalValue& value);

}  // namespace tilereel
