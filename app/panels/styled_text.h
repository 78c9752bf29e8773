#pragma once
// Wrapped text whose words differ in face and colour, text that shrinks until it fits, and figures
// with captions.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/draw.h"
#include "app/ui/draw_target.h"

namespace tilereel {

struct StyledText {
    std::string text;
    Face face = Face::kRegular;
    ImU32 color = 0;
};

// Breaks the pieces between words into lines no wider than `width` pixels. A piece that begins
// without a space belongs to the word before it. A word that is wider than a line is broken. The
// pieces must outlive the object.
class StyledLines {
  public:
    StyledLines(std::span<const StyledText> pieces, float width, float px, float leading);

    [[nodiscard]] float height() const { return static_cast<float>(lines_.size()) * leading_; }
    void draw(ImVec2 at) const;  // `at`: the top left corner

  private:
    struct Word {
        const StyledText* style;
        std::string_view text;
        bool space_before;
    };
    void take_words(std::span<const StyledText> pieces, float width);

    std::vector<Word> words_;
    std::vector<std::span<const Word>> lines_;
    float px_, leading_;  // pixels
};
// Draws the lines from the top left corner `at`, spaced as a paragraph. Returns their height.
float draw_styled(ImVec2 at, float width, std::span<const StyledText> pieces, float px);

// The largest font size, up to `px`, at which what height_of(px) draws is no higher than `height`.
template <class HeightOf>
[[nodiscard]] float fitting_px(float px, float height, HeightOf&& height_of) {
    constexpr float kLeast = 8;
    while (px > kLeast && measured([&] { return height_of(px); }) > height) px *= 0.94f;
    return px;
}

// A large number with a caption below it.
struct Figure {
    std::string value, caption;
    bool conflict = false;  // drawn in the conflict colour
};
// Draws figures side by side from the top left corner `at`, in as many rows as they need. Returns
// their height in pixels.
float draw_figures(const Look& look, ImVec2 at, float width, std::span<const Figure> figures);

}  // namespace tilereel
