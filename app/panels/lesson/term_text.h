#pragma once
// Wrapped text in one style, where terms of the field (app/lesson/glossary.h) have dots below them.
// While the mouse is over such a term, a tip explains it.
#include <string>
#include <string_view>
#include <vector>

#include "app/lesson/glossary.h"
#include "app/ui/draw/draw.h"
#include "app/ui/draw/wrap_text.h"

namespace tilereel {

class TermText {
  public:
    // The text must outlive the object.
    TermText(std::string_view text, float width, const TextStyle& style);

    [[nodiscard]] float height() const;  // pixels
    // `at`: the top left corner.
    void draw(const Look& look, ImVec2 at) const;
    struct Place {
        Rect rect;
        const Term* term;
    };
    [[nodiscard]] std::vector<Place> places(ImVec2 at) const;
    // The meaning of the term under the mouse; empty: there is none.
    [[nodiscard]] std::string_view meaning_at_mouse(ImVec2 at) const;

  private:
    TextStyle style_;
    std::vector<std::string_view> lines_;
    std::vector<TermPlace> terms_;
    std::string_view text_;
};

}  // namespace tilereel
