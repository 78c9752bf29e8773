#pragma once
// Keys as the program reads them: from the window's own callbacks or from a test, one list a frame.
// Characters come as the keyboard layout gives them ('+', '?', '['), the rest by name. A press
// counts however short it was: a presenter's remote sends press and release at once.
#include <span>
#include <string_view>

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
    kBackspace,
    kDelete,
    kPaste,      // Ctrl+V
    kSelectAll,  // Ctrl+A
    kCopy,       // Ctrl+C
    kOpen,       // Ctrl+O
    kRunAgain,   // Ctrl+R
    kF1,
    kF5,
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
// What was pressed since the frame before; empty while a control has claimed the keyboard.
[[nodiscard]] std::span<const KeyPress> keys_of_frame();

// A control that reads the keyboard itself (a text field, an open menu) claims it in every frame
// for the next one. Of several claims in a frame the last counts.
void claim_keys(std::string_view control);
// What was pressed since the frame before, in order; empty for a control that has no claim.
[[nodiscard]] std::span<const KeyPress> claimed_keys(std::string_view control);
// The presses that the control has not used come first in the next frame: what is typed after an
// Enter belongs to what is on the screen then.
void give_back_keys(std::span<const KeyPress> rest);

// Called by begin_ui_frame().
void take_pushed_keys();

}  // namespace tilereel
