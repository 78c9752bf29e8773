#pragma once
// The iterations of the loop that changes a variable, drawn as a strip. Above is the loop variable,
// below it the value after each iteration. An iteration that has not run yet has a dot; the current
// one has a frame.
#include "app/replay/locals.h"
#include "app/ui/draw.h"

namespace tilereel {

struct StripText {
    float px = 14, small = 13;  // sizes of type, pixels
    float row = 22;             // height of a line
};
[[nodiscard]] float strip_height(const StripText& text);
// Registered as locals.iterations. Returns false and draws nothing if no loop changes the variable.
bool draw_iterations(const Look& look, const Rect& rect, const StripText& text,
                     const Replay& replay, const WarpLocals& locals, std::size_t variable,
                     std::uint32_t lane);
// The text of a value in a table. Long numbers are rounded.
[[nodiscard]] std::string short_text(const Trace& trace, const LocalVariable& variable,
                                     const LocalValue& value);

}  // namespace tilereel
