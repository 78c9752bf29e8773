#pragma once
// The window: GLFW, OpenGL 3.3 core, Dear ImGui. Waits for events while nothing moves.
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "app/ui/frame_painter.h"
#include "app/ui/image.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct WindowSize {
    int width = 1920, height = 1080;  // at content scale 1; clamped to the monitor's work area
    bool exact = false;               // asked for by the user: neither scaled nor clamped
    bool scaled = true;               // by the monitor's content scale
};

class Window {
  public:
    // kFailed with a sentence where there is no display or no OpenGL 3.3.
    static Result<std::unique_ptr<Window>> open(const WindowSize& size);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    [[nodiscard]] bool should_close() const;
    void request_close();
    // Waits for something to do: at once if `moving`, otherwise until an event, or a little after
    // one (tips appear, colours fade). False: nothing happened, no frame is needed.
    bool wait(bool moving);
    // One frame: `draw` runs between ImGui::NewFrame() and ImGui::Render(), with the seconds since
    // the frame before.
    void frame(const std::function<void(double frame_seconds)>& draw);
    // As frame(), and what it drew.
    [[nodiscard]] Image frame_and_read(const std::function<void(double frame_seconds)>& draw);
    void set_full_screen(bool on);
    // The window does not become smaller than this, or than the free part of its monitor where that
    // is smaller; a smaller one is enlarged. Screen coordinates.
    void set_least_size(int width, int height);
    [[nodiscard]] WindowSize size() const;  // screen coordinates
    // A file that was dropped on the window since the last call.
    [[nodiscard]] std::optional<std::filesystem::path> take_dropped_file();

  private:
    void draw_behind(const std::function<void(double frame_seconds)>& draw, Painting painting);
    void paint(int width, int height, Painting painting);  // pixels
    void show();
    struct State;
    explicit Window(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tilereel
