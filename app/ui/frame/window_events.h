#pragma once
// The state that GLFW's callbacks collect.
#include <filesystem>
#include <optional>

struct GLFWwindow;

namespace tilereel {

struct WindowEvents {
    bool any = true;
    // Animations go on for so many seconds. Counted in the time that frames let pass: where a frame
    // takes long, less of it passes than on the wall, and what moves would stop half-way.
    double awake_seconds = 0;
    std::optional<std::filesystem::path> dropped;
    void wake();
    void stay_awake();
    void pass(double frame_seconds) { awake_seconds -= frame_seconds; }
};

// Dropped files go to `events`; all other events only wake the window. `events` must outlive the
// window. Install these before Dear ImGui's callbacks, which call them.
void install_callbacks(GLFWwindow* window, WindowEvents& events);
// Key presses go to push_key(). Install these after Dear ImGui's, which they replace: its text
// fields get their keys from the queue of keys.h.
void install_key_callbacks(GLFWwindow* window);

}  // namespace tilereel
