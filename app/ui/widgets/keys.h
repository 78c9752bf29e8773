#pragma once
// The keys that the program reads, one list for each frame. They come from GLFW's callbacks or from
// a test. Characters depend on the keyboard layout ('+', '?', '['); other keys have names. A press
// counts even if it is released within the same frame, as a presenter's remote does.
#include <span>
#include <string_view>

namespace tilereel {

enum class Key {
    kCharacter,  // KeyPress::character; A to Z as lower case, space included
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
    kPaste,        // Ctrl+V
    kSelectAll,    // Ctrl+A
    kCopy,         // Ctrl+C
    kOpen,         // Ctrl+O
    kRunAgain,     // Ctrl+R
    kSavePicture,  // Ctrl+S
    kCopyPicture,  // Ctrl+Shift+C
    kEditor,       // Ctrl+E
    kUndo,         // Ctrl+Z
    kRedo,         // Ctrl+Y, Ctrl+Shift+Z
    kCut,          // Ctrl+X
    kFind,         // Ctrl+F
    kJumpBack,     // Alt+Left
    kJumpForward,  // Alt+Right
    kNextTab,      // Ctrl+Tab, Ctrl+Page Down
    kPreviousTab,  // Ctrl+Shift+Tab, Ctrl+Page Up
    kF1,
    kF2,
    kF3,
    kF5,
    kF10,
    kF11,
    kMenu,  // also Shift+F10
};

struct KeyPress {
    Key key = Key::kCharacter;
    char32_t character = 0;
    bool shift = false;
    bool repeat = false;   // sent by the system because the key is held down
    bool control = false;  // of Left, Right, Home, End, Backspace and Delete
};

// Queued for the next frame. Safe to call from a window callback.
void push_key(const KeyPress& press);
// The presses since the previous frame. Empty while a control has claimed the keyboard.
[[nodiscard]] std::span<const KeyPress> keys_of_frame();

// Whether any key was pressed since the previous frame, whoever reads it.
[[nodiscard]] bool key_in_frame();

// A control that reads the keyboard (a text field, an open menu) claims the keys of the next frame,
// and repeats this in every frame. The last claim in a frame wins.
enum class KeysOf {
    kControl,  // the control reads all presses
    kText,     // a text field: Dear ImGui also gets the characters, and at most one other key a
               // frame; the presses after that key stay queued
    kWaiting,  // a text field that does not have the focus yet: all presses stay queued
};
void claim_keys(std::string_view control, KeysOf kind = KeysOf::kControl);
// Whether a control has claimed the keys of the next frame, and whether it is this one.
[[nodiscard]] bool keys_claimed();
[[nodiscard]] bool keys_claimed_by(std::string_view control);
// Takes back a claim of this frame. Does nothing if another control has claimed the keys since.
void drop_claim(std::string_view control);
// The presses since the previous frame, in order. Empty if the control has no claim on this frame.
[[nodiscard]] std::span<const KeyPress> claimed_keys(std::string_view control);
// Puts presses that the control has not used at the front of the next frame's list. Keys typed
// after an Enter then go to the control that Enter opens.
void give_back_keys(std::span<const KeyPress> rest);

// Called by begin_ui_frame().
void take_pushed_keys();

}  // namespace tilereel
