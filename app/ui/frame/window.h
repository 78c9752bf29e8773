#pragma once
// The window: GLFW, OpenGL 3.3 core, Dear ImGui. It waits for events while nothing moves.
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/ui/frame/frame_painter.h"
#include "app/ui/gl/image.h"
#include "instrumentation/base/result.h"

namespace tilereel {

struct WindowSize {
    int width = 1920, height = 1080;  // before scaling; limited to the monitor's work area, less
                                      // the frame around the window
    bool exact = false;  // the user asked for this size: it is neither scaled nor limited
    bool scaled = true;  // multiply by the monitor's content scale
};

class Window {
  public:
    // kFailed with a sentence if there is no display or no OpenGL 3.3.
    static Result<std::unique_ptr<Window>> open(const WindowSize& size);
    ~Window();

    [[nodiscard]] bool should_close() const;
    void stay_open();  // takes back that the user has asked to close it
    // Handles events. Returns at once if `moving`, or within 0.8 s of the last event (tips appear,
    // colours fade); otherwise waits up to 1 s for an event. False: no frame is needed.
    bool wait(bool moving);
    // Draws and shows one frame. `draw` runs between ImGui::NewFrame() and ImGui::Render() and gets
    // the seconds since the previous frame.
    void frame(const std::function<void(double frame_seconds)>& draw);
    // Like frame(), and returns the pixels.
    [[nodiscard]] Image frame_and_read(const std::function<void(double frame_seconds)>& draw);
    void set_full_screen(bool on);
    void set_title(const std::string& title);
    // Sets the smallest size of the window, in screen coordinates, but no larger than the monitor's
    // work area. A smaller window is enlarged. Does nothing in full screen.
    void set_least_size(int width, int height);
    // How much larger than at 96 dpi the user wants things on this screen. 1 if the system itself
    // enlarges what the window shows.
    [[nodiscard]] float screen_scale() const;
    [[nodiscard]] WindowSize size() const;  // width and height in screen coordinates
    // A file that was dropped on the window since the last call; nullopt if there is none.
    [[nodiscard]] std::optional<std::filesystem::path> take_dropped_file();

  private:
    void draw_to_back_buffer(const std::function<void(double frame_seconds)>& draw,
                             Painting painting);
    void paint(int width, int height, Painting painting);  // pixels
    void show();
    struct State;
    explicit Window(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tilereel
