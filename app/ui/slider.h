#pragma once
#include <string_view>

#include "app/ui/draw.h"

namespace tilereel {

// Dear ImGui's slider in the theme's colours, for an integer from `least` to `most`. Returns true
// when the value was changed. Registers `name` and shows `tip` on hover.
bool whole_slider(const Look& look, std::string_view name, const Rect& rect, int& value, int least,
                  int most, std::string_view tip);

}  // namespace tilereel
