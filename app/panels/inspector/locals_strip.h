#pragma once
// The iterations of the loop in which a variable changes, as a strip: the loop's own variable
// above, below it the value that each iteration leaves. What has not been assigned by now has a
// dot; the iteration under way has a frame.
#include "app/replay/locals.h"
#include "app/ui/draw.h"

namespace tilereel {

struct StripText {
    float px = 14, small = 13;  // sizes of type, pixels
    float row = 22;             // height of a line
};
[[nodiscard]] float strip_height(const StripText& text);
// Registered as locals.iterations. False where the variable changes in no loop: nothing is drawn.
bool draw_iterations(const Look& look, const Rect& rect, const StripText& text,
                     const Replay& replay, const WarpLocals& locals, std::size_t variable,
                     std::uint32_t lane);
// A value in a table: rounded where it is long.
[[nodiscard]] std::string short_text(const Trace& trace, const LocalVariable& variable,
                                     const LocalValue& value);

}  // namespace tilereel
