#pragma once
// Where a program keeps its state between two starts (XDG Base Directory Specification,
// "XDG_STATE_HOME").
#include <cstdlib>
#include <filesystem>

namespace tilereel {

// $XDG_STATE_HOME/tilereel, else ~/.local/state/tilereel; empty if neither folder is known.
[[nodiscard]] inline std::filesystem::path state_folder() {
    const char* const state = std::getenv("XDG_STATE_HOME");
    // XDG Base Directory Specification: a path that is not absolute must be ignored.
    if (state != nullptr && std::filesystem::path(state).is_absolute())
        return std::filesystem::path(state) / "tilereel";
    const char* const home = std::getenv("HOME");
    if (home == nullptr || *home == '\0') return {};
    return std::filesystem::path(home) / ".local" / "state" / "tilereel";
}

}  // namespace tilereel
