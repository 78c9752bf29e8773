#pragma once
// Breaks text between words into lines. A word that is wider than a line is broken.
#include <span>
#include <string_view>
#include <vector>

#include "app/ui/fonts/text_style.h"

namespace tilereel {

struct Word {
    std::string_view text;
    TextStyle style;
    float width = 0;   // pixels
    float before = 0;  // pixels of the spaces before it; 0: it belongs to the word before it
};
// Words in styles of their own. The texts must outlive the object.
class WrappedWords {
  public:
    explicit WrappedWords(float width) : width_(width) {}
    void add(std::string_view text, const TextStyle& style);
    // Lines no wider than `width` pixels. They are valid until the next add().
    [[nodiscard]] std::vector<std::span<const Word>> lines() const;

  private:
    float width_;
    int spaces_ = 0;  // at the end of the text
    std::vector<Word> words_;
};
// The lines of a text in one style. A newline begins a line.
[[nodiscard]] std::vector<std::string_view> wrap_text(std::string_view text, float width, Face face,
                                                      float px);

}  // namespace tilereel
