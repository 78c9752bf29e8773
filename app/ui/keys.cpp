#include "app/ui/keys.h"

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
    bool read = true;  // the owner has called claimed_keys() in this frame
};
KeyQueue g_keys;

}  // namespace

void push_key(const KeyPress& press) { g_keys.pushed.push_back(press); }

std::span<const KeyPress> keys_of_frame() {
    if (!g_keys.owner.empty()) return {};
    return g_keys.current;
}

void claim_keys(std::string_view control) { g_keys.next_owner = control; }

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
    k.current = std::exchange(k.pushed, {});
    k.read = k.owner.empty();
}

}  // namespace tilereel
