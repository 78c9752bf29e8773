#pragma once
#include <string_view>
#include <vector>

#include "app/ui/fonts.h"

namespace tilereel {

// Breaks text between words into lines no wider than `width` pixels. A wider word is not broken.
[[nodiscard]] std::vector<std::string_view> wrap_text(std::string_view text, float width, Face face,
                                                      float px);

}  // namespace tilereel
