#pragma once
// A text field of one line: Dear ImGui's. Its keys come from the queue of keys.h.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/ui/draw/draw.h"
#include "app/ui/widgets/keys.h"

namespace tilereel {

enum class EditEnd { kEnter, kEscape, kTab, kBackTab, kUp, kDown };  // the key that ended the edit
// What Left does at the begin of the text, and Right at its end. kLeave: it ends the edit as
// Shift+Tab or Tab does, also while all of the text is selected; Up and Down end it, too.
enum class ArrowsAtEnds { kStay, kLeave };

class TextEdit {
  public:
    // Starts with `text`, all selected: the first typed character replaces it.
    void begin(std::string text);
    // The same, with the bytes from `selected.first` up to `selected.second` selected.
    void begin(std::string text, std::pair<std::size_t, std::size_t> selected);
    // Draws the field inside `rect` and claims the keyboard for `control`. Returns a value if a key
    // ends the edit.
    std::optional<EditEnd> draw(std::string_view control, const Rect& rect, const TextStyle& style,
                                ArrowsAtEnds arrows = ArrowsAtEnds::kStay);

    [[nodiscard]] const std::string& text() const { return text_; }

    // Shared with Dear ImGui while it draws the field.
    struct Caret {
        // Selected instead of all text when the field has got the focus.
        std::optional<std::pair<int, int>> part{};
        bool at_begin = false, at_end = false;  // of the text; both: all of it is selected
    };

  private:
    std::string text_;
    bool begins_ = false;   // begin() was called since the last draw()
    bool selects_ = false;  // select all text when the field gets the focus
    Caret caret_;
};

}  // namespace tilereel
