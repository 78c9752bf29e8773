#pragma once
#include <string_view>

#include "app/ui/draw.h"

namespace tilereel {

// Dear ImGui's slider in the window's colours, for a whole number from `least` to `most`. True when
// it was moved. Registers `name` and shows `tip`.
bool whole_slider(const Look& look, std::string_view name, const Rect& rect, int& value, int least,
                  int most, std::string_view tip);

}  // namespace tilereel
