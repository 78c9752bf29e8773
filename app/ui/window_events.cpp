#define GLFW_INCLUDE_NONE
#include "app/ui/window_events.h"

#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include <array>
#include <utility>

#include "app/ui/keys.h"

namespace tilereel {
namespace {

WindowEvents& events_of(GLFWwindow* window) {
    return *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window));
}

void wake(GLFWwindow* window) { events_of(window).wake(); }

constexpr std::array<std::pair<char, Key>, 5> kWithControl = {{{'v', Key::kPaste},
                                                               {'a', Key::kSelectAll},
                                                               {'c', Key::kCopy},
                                                               {'o', Key::kOpen},
                                                               {'r', Key::kRunAgain}}};
constexpr std::array<std::pair<int, Key>, 17> kNamedKeys = {{{GLFW_KEY_LEFT, Key::kLeft},
                                                             {GLFW_KEY_RIGHT, Key::kRight},
                                                             {GLFW_KEY_UP, Key::kUp},
                                                             {GLFW_KEY_DOWN, Key::kDown},
                                                             {GLFW_KEY_PAGE_UP, Key::kPageUp},
                                                             {GLFW_KEY_PAGE_DOWN, Key::kPageDown},
                                                             {GLFW_KEY_HOME, Key::kHome},
                                                             {GLFW_KEY_END, Key::kEnd},
                                                             {GLFW_KEY_ENTER, Key::kEnter},
                                                             {GLFW_KEY_KP_ENTER, Key::kEnter},
                                                             {GLFW_KEY_ESCAPE, Key::kEscape},
                                                             {GLFW_KEY_TAB, Key::kTab},
                                                             {GLFW_KEY_BACKSPACE, Key::kBackspace},
                                                             {GLFW_KEY_DELETE, Key::kDelete},
                                                             {GLFW_KEY_F1, Key::kF1},
                                                             {GLFW_KEY_F5, Key::kF5},
                                                             {GLFW_KEY_F11, Key::kF11}}};

std::optional<Key> named_key(int key, int modifiers) {
    // Compares the letter in the user's keyboard layout, because GLFW's key codes follow a US
    // layout.
    const bool control = (modifiers & GLFW_MOD_CONTROL) != 0;
    const char* const name = control ? glfwGetKeyName(key, 0) : nullptr;
    for (const auto& [letter, named] : kWithControl)
        if (name != nullptr && name[0] == letter) return named;
    for (const auto& [code, named] : kNamedKeys)
        if (key == code) return named;
    return std::nullopt;
}

}  // namespace

void WindowEvents::wake() {
    any = true;
    last_seconds = glfwGetTime();
}

void install_callbacks(GLFWwindow* window, WindowEvents& events) {
    glfwSetWindowUserPointer(window, &events);
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { wake(w); });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { wake(w); });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { wake(w); });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { wake(w); });
    glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { wake(w); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { wake(w); });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { wake(w); });
    glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { wake(w); });
    glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { wake(w); });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
        wake(w);
        if (count > 0) events_of(w).dropped = paths[0];
    });
}

void install_key_callbacks(GLFWwindow* window) {
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int code, int action, int modifiers) {
        wake(w);
        if (key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT)
            ImGui_ImplGlfw_KeyCallback(w, key, code, action, modifiers);
        const std::optional<Key> named = named_key(key, modifiers);
        if (action == GLFW_RELEASE || !named) return;
        push_key({*named, 0, (modifiers & GLFW_MOD_SHIFT) != 0, action == GLFW_REPEAT});
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) {
        wake(w);
        const bool upper = character >= 'A' && character <= 'Z';
        push_key({Key::kCharacter, upper ? character + ('a' - 'A') : character, upper, false});
    });
}

}  // namespace tilereel
