#pragma once
// Wrapped text, in one style or in several.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/draw/draw.h"
#include "app/ui/draw/wrap_text.h"

namespace tilereel {

inline constexpr float kParagraphLeading = 1.45f;  // line height, as a multiple of the font size

// The height in pixels of a wrapped text. `style.px`: font size.
[[nodiscard]] float paragraph_height(std::string_view text, float width, const TextStyle& style);
// Draws from the top left corner `at`. Returns the height in pixels.
float draw_paragraph(ImVec2 at, float width, std::string_view text, const TextStyle& style);

struct StyledText {
    std::string text;
    Face face = Face::kRegular;
    ImU32 color = 0;
    float px = 0;  // font size; 0: that of the text
};
// Lines no wider than `width` pixels of pieces that differ in style. `px`: font size of the text,
// `leading`: its line height as a multiple of it; a line with larger words is higher. A piece that
// begins without a space belongs to the word before it. The pieces must outlive the object.
class StyledLines {
  public:
    StyledLines(std::span<const StyledText> pieces, float width, float px,
                float leading = kParagraphLeading);

    [[nodiscard]] float height() const;
    void draw(ImVec2 at) const;  // `at`: the top left corner

  private:
    [[nodiscard]] float height_of(std::span<const Word> line) const;

    WrappedWords words_;
    std::vector<std::span<const Word>> lines_;
    float px_, leading_;  // font size and line height of pieces without a size of their own
};

// Makes a sentence of a catalogue's phrase: a capital at the start, a full stop at the end.
[[nodiscard]] std::string as_sentence(std::string_view phrase);

}  // namespace tilereel
