#define GLFW_INCLUDE_NONE
#include "app/ui/frame/window_events.h"

#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include <array>
#include <utility>

#include "app/ui/widgets/keys.h"

namespace tilereel {
namespace {

WindowEvents& events_of(GLFWwindow* window) {
    return *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window));
}

void wake(GLFWwindow* window) { events_of(window).wake(); }

constexpr std::array<std::pair<char, Key>, 11> kWithControl = {{{'v', Key::kPaste},
                                                                {'a', Key::kSelectAll},
                                                                {'c', Key::kCopy},
                                                                {'o', Key::kOpen},
                                                                {'r', Key::kRunAgain},
                                                                {'s', Key::kSavePicture},
                                                                {'e', Key::kEditor},
                                                                {'z', Key::kUndo},
                                                                {'y', Key::kRedo},
                                                                {'x', Key::kCut},
                                                                {'f', Key::kFind}}};
constexpr std::array<std::pair<int, Key>, 20> kNamedKeys = {{{GLFW_KEY_LEFT, Key::kLeft},
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
                                                             {GLFW_KEY_F2, Key::kF2},
                                                             {GLFW_KEY_F3, Key::kF3},
                                                             {GLFW_KEY_F5, Key::kF5},
                                                             {GLFW_KEY_F10, Key::kF10},
                                                             {GLFW_KEY_F11, Key::kF11}}};

// Compares the letter in the user's keyboard layout, because GLFW's key codes follow a US layout.
bool is_letter_with_control(int key, int modifiers, char letter) {
    if ((modifiers & GLFW_MOD_CONTROL) == 0) return false;
    const char* const name = glfwGetKeyName(key, 0);
    return name != nullptr && name[0] == letter;
}

std::optional<Key> named_key(int key, int modifiers) {
    const auto with_control = [&](char letter) {
        return is_letter_with_control(key, modifiers, letter);
    };
    if ((modifiers & GLFW_MOD_SHIFT) != 0 && with_control('c')) return Key::kCopyPicture;
    if ((modifiers & GLFW_MOD_SHIFT) != 0 && with_control('z')) return Key::kRedo;
    for (const auto& [letter, named] : kWithControl)
        if (with_control(letter)) return named;
    if (key == GLFW_KEY_MENU || (key == GLFW_KEY_F10 && (modifiers & GLFW_MOD_SHIFT) != 0))
        return Key::kMenu;
    if ((modifiers & GLFW_MOD_ALT) != 0 && key == GLFW_KEY_LEFT) return Key::kJumpBack;
    if ((modifiers & GLFW_MOD_ALT) != 0 && key == GLFW_KEY_RIGHT) return Key::kJumpForward;
    if ((modifiers & GLFW_MOD_CONTROL) != 0) {
        const bool shift = (modifiers & GLFW_MOD_SHIFT) != 0;
        if (key == GLFW_KEY_TAB) return shift ? Key::kPreviousTab : Key::kNextTab;
        if (key == GLFW_KEY_PAGE_DOWN) return Key::kNextTab;
        if (key == GLFW_KEY_PAGE_UP) return Key::kPreviousTab;
    }
    for (const auto& [code, named] : kNamedKeys)
        if (key == code) return named;
    return std::nullopt;
}

// The '+' or '-' of Ctrl+plus and Ctrl+minus, for which GLFW sends no character; 0: another key.
char32_t sign_with_control(int key, int modifiers) {
    if ((modifiers & GLFW_MOD_CONTROL) == 0) return 0;
    const char* const name = glfwGetKeyName(key, 0);
    const char sign = name == nullptr ? '\0' : name[0];
    if (sign == '+' || sign == '=' || key == GLFW_KEY_KP_ADD) return U'+';
    return sign == '-' || key == GLFW_KEY_KP_SUBTRACT ? U'-' : 0;
}

}  // namespace

void WindowEvents::wake() {
    any = true;
    stay_awake();
}
void WindowEvents::stay_awake() {
    constexpr double kLongestAnimation = 0.8;
    awake_seconds = kLongestAnimation;
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
        if (action == GLFW_RELEASE) return;
        // Whatever is open, Ctrl+Q acts as the window's own close button does.
        if (is_letter_with_control(key, modifiers, 'q')) glfwSetWindowShouldClose(w, GLFW_TRUE);
        const std::optional<Key> named = named_key(key, modifiers);
        if (const char32_t sign = sign_with_control(key, modifiers); sign != 0)
            push_key({Key::kCharacter, sign, false, action == GLFW_REPEAT});
        if (!named) return;
        push_key({*named, 0, (modifiers & GLFW_MOD_SHIFT) != 0, action == GLFW_REPEAT,
                  (modifiers & GLFW_MOD_CONTROL) != 0});
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) {
        wake(w);
        const bool upper = character >= 'A' && character <= 'Z';
        push_key({Key::kCharacter, upper ? character + ('a' - 'A') : character, upper, false});
    });
}

}  // namespace tilereel
