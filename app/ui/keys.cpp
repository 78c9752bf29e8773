#include "app/ui/keys.h"

#include <imgui.h>

#include <utility>
#include <vector>

namespace tilereel {
namespace {

// One keyboard a process, as one Dear ImGui context a process.
std::vector<KeyPress> g_pushed;
std::vector<KeyPress> g_keys_of_frame;

}  // namespace

void push_key(const KeyPress& press) { g_pushed.push_back(press); }

std::span<const KeyPress> keys_of_frame() { return g_keys_of_frame; }

void take_pushed_keys() {
    g_keys_of_frame = std::exchange(g_pushed, {});
    if (ImGui::GetIO().WantTextInput) g_keys_of_frame.clear();
}

}  // namespace tilereel
