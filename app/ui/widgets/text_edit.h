#pragma once
// A text field of one line: Dear ImGui's. Its keys come from the queue of keys.h.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/ui/draw/draw.h"
#include "app/ui/widgets/keys.h"

namespace tilereel {

enum class EditEnd { kEnter, kEscape, kTab, kBackTab };  // the key that ended the edit

class TextEdit {
  public:
    // Starts with `text`, all selected: the first typed character replaces it.
    void begin(std::string text);
    // The same, with the bytes from `selected.first` up to `selected.second` selected.
    void begin(std::string text, std::pair<std::size_t, std::size_t> selected);
    // Draws the field inside `rect` and claims the keyboard for `control`. Returns a value if a key
    // ends the edit.
    std::optional<EditEnd> draw(std::string_view control, const Rect& rect, const TextStyle& style);

    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
    bool begins_ = false;   // begin() was called since the last draw()
    bool selects_ = false;  // select all text when the field gets the focus
    // Selected instead of all text when the field has got the focus.
    std::optional<std::pair<int, int>> part_;
};

}  // namespace tilereel
