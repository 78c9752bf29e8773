#pragma once
// Wrapped text.
#include <string>
#include <string_view>

#include "app/ui/draw.h"
#include "app/ui/wrap_text.h"

namespace tilereel {

// The height in pixels of `lines` lines of text, and of a wrapped text. `px`: font size.
[[nodiscard]] float paragraph_height(std::size_t lines, float px);
[[nodiscard]] float paragraph_height(std::string_view text, float width, const TextStyle& style);
// Draws from the top left corner `at`. Returns the height in pixels.
float draw_paragraph(ImVec2 at, float width, std::string_view text, const TextStyle& style);

// Makes a sentence of a catalogue's phrase: a capital at the start, a full stop at the end.
[[nodiscard]] std::string as_sentence(std::string_view phrase);

}  // namespace tilereel
