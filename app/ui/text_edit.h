#pragma once
// A text field of one line. It reads the key queue of keys.h. Dear ImGui's fields lose an Enter
// that is pressed and released within one frame (before version 1.87), or handle it before text
// that was typed earlier (since 1.87, which spreads events over frames).
#include <optional>
#include <string>
#include <string_view>

#include "app/ui/draw.h"
#include "app/ui/keys.h"

namespace tilereel {

enum class EditEnd { kEnter, kEscape, kTab, kBackTab };  // the key that ended the edit

class TextEdit {
  public:
    // Starts with `text`, all selected: the first typed character replaces it.
    void begin(std::string text);
    // Handles one key press. Returns a value if the key ends the edit.
    std::optional<EditEnd> take(const KeyPress& press);
    // Claims the keyboard for `control` and handles its keys up to one that ends the edit. The keys
    // after that are given back.
    std::optional<EditEnd> take_keys(std::string_view control);
    void put_caret(std::size_t byte);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::size_t caret() const { return caret_; }  // byte offset into text()
    [[nodiscard]] bool all_selected() const { return all_selected_; }

  private:
    void insert(std::string_view text);
    void erase(std::size_t from, std::size_t to);

    std::string text_;
    std::size_t caret_ = 0;
    bool all_selected_ = false;
};

// Draws text, selection and caret inside `rect`, left-aligned, scrolled so that the caret is
// visible. A click at `clicked` moves the caret.
void draw_text_edit(const Look& look, const Rect& rect, TextEdit& edit, const TextStyle& style,
                    std::optional<ImVec2> clicked);

}  // namespace tilereel
