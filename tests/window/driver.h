#pragma once
// Simulates a user in process, without a window and without OpenGL. Each call takes one or a few
// frames. Widgets are found by their registered names.
#include <gtest/gtest.h>
#include <imgui.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "app/ui/frame/ui_frame.h"
#include "app/ui/widgets/keys.h"
#include "app/ui/widgets/widgets.h"

namespace tilereel {

class Driver {
  public:
    // `draw`: draws a frame, between ImGui::NewFrame() and ImGui::Render().
    Driver(float width, float height, std::function<void(double frame_seconds)> draw)
        : draw_(std::move(draw)) {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {width, height};
        // As in the OpenGL backend: allows more vertices than a 16-bit index can address.
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        move_to({-1, -1});
        frame();
    }
    ~Driver() { ImGui::DestroyContext(); }
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

    void frame(double seconds = 1.0 / 60) {
        begin_ui_frame();
        ImGui::GetIO().DeltaTime = static_cast<float>(seconds);
        ImGui::NewFrame();
        draw_(seconds);
        ImGui::Render();
    }
    void frames(int count, double seconds = 1.0 / 60) {
        for (int i = 0; i < count; ++i) frame(seconds);
    }
    void resize(float width, float height) {
        ImGui::GetIO().DisplaySize = {width, height};
        frames(2);
    }

    void press(Key key, bool shift = false) {
        push_key({key, 0, shift, false});
        frames(2);
    }
    void press(char character, bool shift = false) {
        push_key({Key::kCharacter, static_cast<unsigned char>(character), shift, false});
        frames(2);
    }

    [[nodiscard]] bool has(std::string_view name) const {
        Rect rect;
        return find_widget(name, rect);
    }
    // Fails the test if there is no such widget.
    [[nodiscard]] Rect rect_of(std::string_view name) const {
        Rect rect;
        EXPECT_TRUE(find_widget(name, rect)) << "no widget named " << name;
        return rect;
    }
    void hover(std::string_view name, float x_share = 0.5f, float y_share = 0.5f) {
        move_to(point(rect_of(name), x_share, y_share));
        frames(12);  // until the pointer rests
    }
    // Clicks with the left button (0) by default, at a fraction of the widget's width and height.
    void click(std::string_view name, float x_share = 0.5f, float y_share = 0.5f, int button = 0) {
        click_at(point(rect_of(name), x_share, y_share), button);
    }
    void click_at(ImVec2 at, int button = 0) {
        move_to(at);
        frame();
        set_button(button, true);
        frame();
        set_button(button, false);
        frames(2);
    }
    // Presses, moves in steps, and lets go; `while_held` runs before letting go.
    void drag(ImVec2 from, ImVec2 to, const std::function<void()>& while_held = {}) {
        constexpr int kSteps = 8;
        move_to(from);
        frame();
        set_button(0, true);
        frame();
        for (int i = 1; i <= kSteps; ++i) {
            const float share = static_cast<float>(i) / kSteps;
            move_to({from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share});
            frame();
        }
        if (while_held) while_held();
        set_button(0, false);
        frames(2);
    }
    void drag_inside(std::string_view name, float from_share, float to_share) {
        const Rect rect = rect_of(name);
        drag(point(rect, from_share, 0.5f), point(rect, to_share, 0.5f));
    }
    void scroll(ImVec2 at, float lines) {
        move_to(at);
        frame();
#if IMGUI_VERSION_NUM < 18700
        ImGui::GetIO().MouseWheel = lines;
#else
        ImGui::GetIO().AddMouseWheelEvent(0, lines);
#endif
        frames(2);
    }
    // Types into the field being edited, all characters in one frame. enter() ends the edit.
    void type(std::string_view text) {
        for (const char c : text) push_key({Key::kCharacter, static_cast<unsigned char>(c)});
        frames(2);
    }
    void enter() { press(Key::kEnter); }

    void move_to(ImVec2 at) {
#if IMGUI_VERSION_NUM < 18700
        ImGui::GetIO().MousePos = at;
#else
        ImGui::GetIO().AddMousePosEvent(at.x, at.y);
#endif
    }
    void set_button(int button, bool down) {
#if IMGUI_VERSION_NUM < 18700
        ImGui::GetIO().MouseDown[button] = down;
#else
        ImGui::GetIO().AddMouseButtonEvent(button, down);
#endif
    }
    void hold_shift(bool down) {
#if IMGUI_VERSION_NUM < 18700
        ImGui::GetIO().KeyShift = down;
#else
        ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, down);
#endif
    }

  private:
    static ImVec2 point(const Rect& rect, float x_share, float y_share) {
        return {rect.x + rect.w * x_share, rect.y + rect.h * y_share};
    }
    std::function<void(double)> draw_;
};

}  // namespace tilereel
