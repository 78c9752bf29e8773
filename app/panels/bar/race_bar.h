#pragma once
// The controls of races in the top bar.
#include "app/panels/bar/top_bar_items.h"

namespace tilereel {

// Which race is shown: this machine's or a recorded one, and the one it is compared with.
void draw_race_choice(Bar& bar, const Rect& rect);
[[nodiscard]] std::string race_choice_text(const Bar& bar);
// Logarithmic or linear axes.
void draw_race_scale(Bar& bar, const Rect& rect);
[[nodiscard]] std::string race_scale_text(const Bar& bar);

}  // namespace tilereel
