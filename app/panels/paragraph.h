#pragma once
// Text of several lines, broken between words.
#include <string>
#include <string_view>

#include "app/ui/draw.h"
#include "app/ui/wrap_text.h"

namespace tilereel {

// Height of `lines` lines of type of `px` pixels.
[[nodiscard]] float paragraph_height(std::size_t lines, float px);
// Draws from the top left corner on; returns the height used.
float draw_paragraph(ImDrawList* list, ImVec2 at, float width, std::string_view text,
                     const TextStyle& style);

// A catalogue's phrase as a sentence: a capital first, a full stop last.
[[nodiscard]] std::string as_sentence(std::string_view phrase);

}  // namespace tilereel
