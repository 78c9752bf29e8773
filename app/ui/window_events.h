#pragma once
// What a window's own callbacks collect. They are installed before Dear ImGui's, which call them.
#include <filesystem>
#include <optional>

struct GLFWwindow;

namespace tilereel {

struct WindowEvents {
    bool any = true;
    double last_seconds = 0;  // glfwGetTime() of the last one
    std::optional<std::filesystem::path> dropped;
    void wake();
};

// Keys go to push_key(), everything else only wakes. `events` must outlive the window.
void install_callbacks(GLFWwindow* window, WindowEvents& events);

}  // namespace tilereel
