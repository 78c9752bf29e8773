#pragma once
// The words that appear beside a control on which the mouse rests.
#include <string_view>

#include "app/ui/draw.h"

namespace tilereel {

// Below `rect`; in the lower half of the screen above it, so that what is read there (the timeline,
// the sentence) stays in sight. Registered as "tip".
void draw_tip(const Look& look, const Rect& rect, std::string_view tip);

}  // namespace tilereel
