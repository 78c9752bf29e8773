#pragma once
// One line of text that is being typed. It reads our own key queue: Dear ImGui's fields lose an
// Enter whose press and release come within one frame (before 1.87), or take it before the text
// that was typed ahead of it (since 1.87, which spreads events over frames).
#include <optional>
#include <string>
#include <string_view>

#include "app/ui/draw.h"
#include "app/ui/keys.h"

namespace tilereel {

enum class EditEnd { kEnter, kEscape, kTab, kBackTab };  // how an edit was left

class TextEdit {
  public:
    // All of the text is selected: the first character typed takes its place.
    void begin(std::string text);
    // Uses one key press; the end, if it is one.
    std::optional<EditEnd> take(const KeyPress& press);
    // Claims the keyboard for `control` and uses its keys up to an end; those after it are given
    // back.
    std::optional<EditEnd> take_keys(std::string_view control);
    void put_caret(std::size_t byte);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::size_t caret() const { return caret_; }  // a byte of text()
    [[nodiscard]] bool all_selected() const { return all_selected_; }

  private:
    void insert(std::string_view text);
    void erase(std::size_t from, std::size_t to);

    std::string text_;
    std::size_t caret_ = 0;
    bool all_selected_ = false;
};

// Text, selection and caret inside `rect`, from the left, moved so that the caret is seen. A click
// at `clicked` places the caret.
void draw_text_edit(const Look& look, ImDrawList* list, const Rect& rect, TextEdit& edit,
                    const TextStyle& style, std::optional<ImVec2> clicked);

}  // namespace tilereel
