#include "app/ui/widgets/keys.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tilereel {
namespace {

// One keyboard for the process, because the process has one Dear ImGui context.
struct KeyQueue {
    std::vector<KeyPress> pushed;   // pressed since the frame began; for the next frame
    std::vector<KeyPress> current;  // the presses of this frame
    std::string owner;              // the control that has claimed the keyboard; empty: none
    std::string next_owner;
    KeysOf kind = KeysOf::kControl, next_kind = KeysOf::kControl;
    bool read = true;  // the owner has called claimed_keys() in this frame
};
KeyQueue g_keys;

struct TextKey {
    Key key;
    ImGuiKey_ id;
    bool control = false;  // with Ctrl
};
constexpr std::array<TextKey, 12> kTextKeys = {{{Key::kLeft, ImGuiKey_LeftArrow},
                                                {Key::kRight, ImGuiKey_RightArrow},
                                                {Key::kHome, ImGuiKey_Home},
                                                {Key::kEnd, ImGuiKey_End},
                                                {Key::kBackspace, ImGuiKey_Backspace},
                                                {Key::kDelete, ImGuiKey_Delete},
                                                {Key::kPaste, ImGuiKey_V, true},
                                                {Key::kSelectAll, ImGuiKey_A, true},
                                                {Key::kCopy, ImGuiKey_C, true},
                                                {Key::kCut, ImGuiKey_X, true},
                                                {Key::kUndo, ImGuiKey_Z, true},
                                                {Key::kRedo, ImGuiKey_Y, true}}};

// Each press counts as a new one, even if the same key was down in the former frame.
void set_in_imgui(const TextKey& key, bool down, bool shift) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM < 18700
    io.KeyMap[key.id] = key.id;
    io.KeysDown[key.id] = down;
    io.KeysDownDuration[key.id] = -1;
    io.KeyCtrl = down && key.control;
    io.KeyShift = down && shift;
#else
    io.AddKeyEvent(ImGuiMod_Ctrl, down && key.control);
    io.AddKeyEvent(ImGuiMod_Shift, down && shift);
    io.AddKeyEvent(key.id, down);
#endif
}

// Gives Dear ImGui characters and at most one other key, and keeps the presses after it.
void feed_text_field(KeyQueue& k) {
    for (const TextKey& key : kTextKeys) set_in_imgui(key, false, false);
    std::size_t used = 0;
    for (bool text = k.kind == KeysOf::kText; text && used < k.current.size(); ++used) {
        const KeyPress& press = k.current[used];
        const char32_t c = press.character;
        const bool letter = c >= U'a' && c <= U'z';
        text = press.key == Key::kCharacter;
        if (text) ImGui::GetIO().AddInputCharacter(letter && press.shift ? c - (U'a' - U'A') : c);
        const auto* key = std::ranges::find(kTextKeys, press.key, &TextKey::key);
        if (key != kTextKeys.end()) set_in_imgui(*key, true, press.shift);
    }
    k.pushed.assign(k.current.begin() + static_cast<std::ptrdiff_t>(used), k.current.end());
    k.current.resize(used);
}

}  // namespace

void push_key(const KeyPress& press) { g_keys.pushed.push_back(press); }

std::span<const KeyPress> keys_of_frame() {
    if (!g_keys.owner.empty()) return {};
    return g_keys.current;
}

bool key_in_frame() { return !g_keys.current.empty(); }

void claim_keys(std::string_view control, KeysOf kind) {
    g_keys.next_owner = control;
    g_keys.next_kind = kind;
}

bool keys_claimed() { return !g_keys.next_owner.empty(); }

bool keys_claimed_by(std::string_view control) { return g_keys.next_owner == control; }

void drop_claim(std::string_view control) {
    if (keys_claimed_by(control)) g_keys.next_owner.clear();
}

std::span<const KeyPress> claimed_keys(std::string_view control) {
    if (g_keys.owner.empty() || g_keys.owner != control) return {};
    g_keys.read = true;
    return g_keys.current;
}

void give_back_keys(std::span<const KeyPress> rest) {
    g_keys.pushed.insert(g_keys.pushed.begin(), rest.begin(), rest.end());
}

void take_pushed_keys() {
    KeyQueue& k = g_keys;
    // If the owner is no longer drawn, its unread presses go to the next owner.
    if (!k.owner.empty() && !k.read)
        k.pushed.insert(k.pushed.begin(), k.current.begin(), k.current.end());
    k.owner = std::exchange(k.next_owner, {});
    k.kind = std::exchange(k.next_kind, KeysOf::kControl);
    k.current = std::exchange(k.pushed, {});
    if (k.kind != KeysOf::kControl) feed_text_field(k);
    k.read = k.owner.empty();
}

}  // namespace tilereel
