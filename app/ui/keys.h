#pragma once
// Keys as the program reads them: from the window's own callbacks or from a test, one list a frame.
// Characters come as the keyboard layout gives them ('+', '?', '['), the rest by name.
#include <span>

namespace tilereel {

enum class Key {
    kCharacter,  // see KeyPress::character; lower case, space included
    kLeft,
    kRight,
    kUp,
    kDown,
    kPageUp,
    kPageDown,
    kHome,
    kEnd,
    kEnter,
    kEscape,
    kTab,
    kF1,
    kF11,
};

struct KeyPress {
    Key key = Key::kCharacter;
    char32_t character = 0;
    bool shift = false;
    bool repeat = false;  // the key is being held
};

// Queued for the next frame. Safe to call from a window callback.
void push_key(const KeyPress& press);
// What was pressed since the frame before; empty while a text field is being edited (it reads the
// keyboard itself).
[[nodiscard]] std::span<const KeyPress> keys_of_frame();
// Called by begin_ui_frame().
void take_pushed_keys();

}  // namespace tilereel
