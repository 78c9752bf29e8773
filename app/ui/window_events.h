#pragma once
// The state that GLFW's callbacks collect. Install them before Dear ImGui's, which call them.
#include <filesystem>
#include <optional>

struct GLFWwindow;

namespace tilereel {

struct WindowEvents {
    bool any = true;
    double last_seconds = 0;  // glfwGetTime() of the last event
    std::optional<std::filesystem::path> dropped;
    void wake();
};

// Key presses go to push_key() and dropped files to `events`; all other events only wake the
// window. `events` must outlive the window.
void install_callbacks(GLFWwindow* window, WindowEvents& events);

}  // namespace tilereel
