#pragma once
#include <string_view>
#include <vector>

#include "app/ui/fonts.h"

namespace tilereel {

// Lines no wider than `width`, broken between words; a word that is wider stays whole.
[[nodiscard]] std::vector<std::string_view> wrap_text(std::string_view text, float width, Face face,
                                                      float px);

}  // namespace tilereel
