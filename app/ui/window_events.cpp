#define GLFW_INCLUDE_NONE
#include "app/ui/window_events.h"

#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include "app/ui/keys.h"

namespace tilereel {
namespace {

WindowEvents& events_of(GLFWwindow* window) {
    return *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window));
}

void wake(GLFWwindow* window) { events_of(window).wake(); }

std::optional<Key> named_key(int key, int modifiers) {
    if ((modifiers & GLFW_MOD_CONTROL) != 0) {
        // Compares the letter in the user's keyboard layout, because GLFW's key codes follow a US
        // layout.
        const char* const name = glfwGetKeyName(key, 0);
        const char letter = name == nullptr ? '\0' : name[0];
        if (letter == 'v') return Key::kPaste;
        if (letter == 'a') return Key::kSelectAll;
        if (letter == 'c') return Key::kCopy;
        if (letter == 'o') return Key::kOpen;
        if (letter == 'r') return Key::kRunAgain;
    }
    switch (key) {
        case GLFW_KEY_LEFT:
            return Key::kLeft;
        case GLFW_KEY_RIGHT:
            return Key::kRight;
        case GLFW_KEY_UP:
            return Key::kUp;
        case GLFW_KEY_DOWN:
            return Key::kDown;
        case GLFW_KEY_PAGE_UP:
            return Key::kPageUp;
        case GLFW_KEY_PAGE_DOWN:
            return Key::kPageDown;
        case GLFW_KEY_HOME:
            return Key::kHome;
        case GLFW_KEY_END:
            return Key::kEnd;
        case GLFW_KEY_ENTER:
        case GLFW_KEY_KP_ENTER:
            return Key::kEnter;
        case GLFW_KEY_ESCAPE:
            return Key::kEscape;
        case GLFW_KEY_TAB:
            return Key::kTab;
        case GLFW_KEY_BACKSPACE:
            return Key::kBackspace;
        case GLFW_KEY_DELETE:
            return Key::kDelete;
        case GLFW_KEY_F1:
            return Key::kF1;
        case GLFW_KEY_F5:
            return Key::kF5;
        case GLFW_KEY_F11:
            return Key::kF11;
        default:
            return std::nullopt;
    }
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
