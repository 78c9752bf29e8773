#define GLFW_INCLUDE_NONE
#include "app/ui/frame/window.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "app/ui/cells/cell_renderer.h"
#include "app/ui/fonts/fonts.h"
#include "app/ui/frame/imgui_context.h"
#include "app/ui/frame/window_events.h"
#include "app/ui/gl/canvas.h"
#include "app/ui/gl/drivers.h"

namespace tilereel {
namespace {

constexpr double kSleepSeconds = 1.0;
constexpr float kSmallestWidth = 200, kSmallestHeight = 150;  // that is drawn
constexpr double kLongestFrameSeconds = 0.1;  // limits the time step after the program has slept

class Glfw {
  public:
    Glfw() {
        glfwSetErrorCallback([](int, const char*) {});  // errors are reported in our own sentences
        prepare_drivers();
        choose_display();
        started_ = glfwInit() == GLFW_TRUE;
        if (started_) take_over_display_errors();
    }
    ~Glfw() {
        if (started_) glfwTerminate();
    }
    Glfw(const Glfw&) = delete;
    Glfw& operator=(const Glfw&) = delete;
    [[nodiscard]] bool started() const { return started_; }

  private:
    // GLFW 3.4 tries Wayland even without a Wayland display, and libwayland then prints an error.
    static void choose_display() {
#if GLFW_VERSION_MAJOR > 3 || GLFW_VERSION_MINOR >= 4
        const char* const wayland = std::getenv("WAYLAND_DISPLAY");
        if (wayland == nullptr || *wayland == '\0') glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
    }
    bool started_ = false;
};

struct CloseWindow {
    void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using WindowHandle = std::unique_ptr<GLFWwindow, CloseWindow>;

class WindowImGui {
  public:
    explicit WindowImGui(GLFWwindow* window) {
        ImGui_ImplGlfw_InitForOpenGL(window, true);  // keeps the callbacks installed before
    }
    ~WindowImGui() { ImGui_ImplGlfw_Shutdown(); }
    [[nodiscard]] bool begin_frame() { return imgui_.begin_frame(); }

  private:
    ImGuiOnOpenGl imgui_;
};

struct Place {
    int x = 0, y = 0, width = 0, height = 0;
};

// The monitor that shows the largest part of the window.
GLFWmonitor* monitor_of(GLFWwindow* window) {
    Place at;
    glfwGetWindowPos(window, &at.x, &at.y);
    glfwGetWindowSize(window, &at.width, &at.height);
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    long most = 0;
    for (int i = 0; i < count; ++i) {
        Place m;
        glfwGetMonitorPos(monitors[i], &m.x, &m.y);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (mode == nullptr) continue;
        const long width = std::min(at.x + at.width, m.x + mode->width) - std::max(at.x, m.x);
        const long height = std::min(at.y + at.height, m.y + mode->height) - std::max(at.y, m.y);
        if (width > 0 && height > 0 && width * height > most) {
            most = width * height;
            best = monitors[i];
        }
    }
    return best;
}

}  // namespace

struct Window::State {  // members are destroyed from the last to the first
    Glfw glfw;
    WindowEvents events;
    WindowHandle window;
    std::unique_ptr<WindowImGui> imgui;
    std::unique_ptr<CellRenderer> cells;
    Canvas canvas;
    FramePainter painter;
    bool is_software = false;       // the CPU renders (llvmpipe)
    bool is_moving = false;         // wait() was told so for this frame
    std::optional<Place> windowed;  // place before full screen; empty while not in full screen
    int least_width = 0, least_height = 0;
    double last_frame = 0;
    bool shown = true;      // false: hidden until the first picture is drawn
    int frames_to_fit = 0;  // in which the window is fitted with its frame
    int frames_held = 0;    // number of frames that were not shown because a font was missing
};

namespace {

bool is_on_x11() {
#if GLFW_VERSION_MAJOR > 3 || GLFW_VERSION_MINOR >= 4
    return glfwGetPlatform() == GLFW_PLATFORM_X11;
#else
    return std::string_view(glfwGetVersionString()).find("X11") != std::string_view::npos;
#endif
}

// The first size of the window: scaled by the monitor's content scale, and no larger than its work
// area.
Place start_place(const WindowSize& size) {
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    if (size.exact || monitor == nullptr) return {0, 0, size.width, size.height};
    float scale_x = 1, scale_y = 1;
    // Wayland itself enlarges what windows show.
    if (size.scaled && is_on_x11()) glfwGetMonitorContentScale(monitor, &scale_x, &scale_y);
    Place area;
    glfwGetMonitorWorkarea(monitor, &area.x, &area.y, &area.width, &area.height);
    const auto scaled = [](int length, float scale) {
        return static_cast<int>(static_cast<float>(length) * scale);
    };
    return {0, 0, std::min(scaled(size.width, scale_x), area.width),
            std::min(scaled(size.height, scale_y), area.height)};
}

// Makes the window smaller if, with the frame that the window manager draws around it, it is larger
// than the monitor's work area.
void fit_with_frame(GLFWwindow* window) {
    GLFWmonitor* monitor = monitor_of(window);
    if (monitor == nullptr || glfwGetWindowAttrib(window, GLFW_MAXIMIZED) != 0) return;
    int left = 0, top = 0, right = 0, bottom = 0;
    glfwGetWindowFrameSize(window, &left, &top, &right, &bottom);
    Place area, now;
    glfwGetMonitorWorkarea(monitor, &area.x, &area.y, &area.width, &area.height);
    glfwGetWindowSize(window, &now.width, &now.height);
    const int width = std::min(now.width, area.width - left - right);
    const int height = std::min(now.height, area.height - top - bottom);
    if (width <= 0 || height <= 0 || (width == now.width && height == now.height)) return;
    glfwSetWindowSize(window, width, height);
}

bool is_software_renderer() {
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return name != nullptr && std::string_view(name).find("llvmpipe") != std::string_view::npos;
}

}  // namespace

Window::Window(std::unique_ptr<State> state) : state_(std::move(state)) {}
Window::~Window() = default;

Result<std::unique_ptr<Window>> Window::open(const WindowSize& size) {
    auto state = std::make_unique<State>();
    if (!state->glfw.started())
        return failed(
            "there is no display to open a window on; set DISPLAY, or make a picture with "
            "'tilereel export'");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    // Hidden until there is a picture. On Wayland the first picture itself shows the window.
    state->shown = !is_on_x11();
    glfwWindowHint(GLFW_VISIBLE, state->shown ? GLFW_TRUE : GLFW_FALSE);
    const Place start = start_place(size);
    state->window.reset(glfwCreateWindow(start.width, start.height, "Tilereel", nullptr, nullptr));
    if (!state->window)
        return failed(
            "the window needs OpenGL 3.3, which the graphics driver does not give; update "
            "it or set LIBGL_ALWAYS_SOFTWARE=1");
    GLFWwindow* window = state->window.get();
    if (!size.exact) {
        fit_with_frame(window);
        state->frames_to_fit = 30;  // some window managers tell the frame only once it is there
    }
    glfwMakeContextCurrent(window);
    if (gladLoadGL(glfwGetProcAddress) == 0)
        return failed("the graphics driver's OpenGL cannot be loaded; set LIBGL_ALWAYS_SOFTWARE=1");
    keep_drivers_for_leak_check();
    state->is_software = is_software_renderer();
    glfwSwapInterval(1);
    install_callbacks(window, state->events);
    state->imgui = std::make_unique<WindowImGui>(window);
    install_key_callbacks(window);
    std::unique_ptr<CellRenderer> cells = TRY(CellRenderer::create());
    state->cells = std::move(cells);
    state->last_frame = glfwGetTime();
    state->events.stay_awake();
    return std::unique_ptr<Window>(new Window(std::move(state)));
}

bool Window::should_close() const { return glfwWindowShouldClose(state_->window.get()) != 0; }

void Window::stay_open() { glfwSetWindowShouldClose(state_->window.get(), GLFW_FALSE); }

bool Window::wait(bool moving) {
    State& s = *state_;
    s.is_moving = moving;
    if (moving) s.events.stay_awake();  // what begins when this ends is drawn to its end
    const bool hidden = glfwGetWindowAttrib(s.window.get(), GLFW_ICONIFIED) != 0;
    const bool awake = s.events.awake_seconds > 0;
    const bool unfinished = s.painter.is_unfinished() || fonts_wanted();
    if ((moving || awake || s.events.any || unfinished) && !hidden)
        glfwPollEvents();
    else
        glfwWaitEventsTimeout(kSleepSeconds);
    const bool draw = moving || awake || s.events.any || unfinished;
    s.events.any = false;
    return draw && !hidden;
}

void Window::frame(const std::function<void(double)>& draw) {
    // At rest the whole frame is of one moment. While something moves, parts may come a frame
    // later.
    const bool on_time = state_->is_software && state_->is_moving;
    draw_to_back_buffer(draw, on_time ? Painting::kOnTime : Painting::kWhole);
    show();
}

Image Window::frame_and_read(const std::function<void(double)>& draw) {
    draw_to_back_buffer(draw, Painting::kWhole);
    // Read before the swap: after it, the driver decides what the buffers contain.
    int width = 0, height = 0;
    glfwGetFramebufferSize(state_->window.get(), &width, &height);
    Image image = read_framebuffer(width, height);
    show();
    return image;
}

void Window::draw_to_back_buffer(const std::function<void(double)>& draw, Painting painting) {
    State& s = *state_;
    if (s.imgui->begin_frame()) s.painter.forget();
    ImGui_ImplGlfw_NewFrame();
    const double now = glfwGetTime();
    const double seconds = std::min(now - s.last_frame, kLongestFrameSeconds);
    s.last_frame = now;
    s.events.pass(seconds);
    ImGui::NewFrame();
    // The layout needs some room: a smaller window stays empty.
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    if (size.x >= kSmallestWidth && size.y >= kSmallestHeight) draw(seconds);
    ImGui::Render();
    int width = 0, height = 0;
    glfwGetFramebufferSize(s.window.get(), &width, &height);
    paint(width, height, painting);
}

void Window::paint(int width, int height, Painting painting) {
    State& s = *state_;
    if (s.canvas.width != width || s.canvas.height != height) {
        s.painter.forget();
        s.canvas = {};
        if (Result<Canvas> made = make_canvas(width, height)) s.canvas = std::move(made).value();
    }
    const bool into_canvas = s.canvas.framebuffer.id() != 0;
    if (!into_canvas) s.painter.forget();
    glBindFramebuffer(GL_FRAMEBUFFER, s.canvas.framebuffer.id());
    s.painter.paint(painting);
    // All of it: a driver may give the window another back buffer at any frame.
    if (into_canvas) copy_to_window(s.canvas, {0, 0, width, height});
}

void Window::show() {
    State& s = *state_;
    // The first four frames of a session that lack fonts are not shown.
    if (fonts_wanted() && s.frames_held++ <= 3) return;
    if (!std::exchange(s.shown, true)) glfwShowWindow(s.window.get());
    glfwSwapBuffers(s.window.get());
    if (s.frames_to_fit > 0 && !s.windowed) {
        --s.frames_to_fit;
        fit_with_frame(s.window.get());
    }
}

void Window::set_full_screen(bool on) {
    State& s = *state_;
    GLFWwindow* window = s.window.get();
    if (on == s.windowed.has_value()) return;
    if (on) {
        GLFWmonitor* monitor = monitor_of(window);
        const GLFWvidmode* mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
        if (mode == nullptr) return;
        Place place;
        glfwGetWindowPos(window, &place.x, &place.y);
        glfwGetWindowSize(window, &place.width, &place.height);
        s.windowed = place;
        glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    } else {
        const Place place = *s.windowed;
        s.windowed.reset();
        glfwSetWindowMonitor(window, nullptr, place.x, place.y, place.width, place.height,
                             GLFW_DONT_CARE);
    }
    glfwSwapInterval(1);
    s.events.wake();
}

void Window::set_title(const std::string& title) {
    glfwSetWindowTitle(state_->window.get(), title.c_str());
}

void Window::set_least_size(int width, int height) {
    State& s = *state_;
    GLFWwindow* window = s.window.get();
    if (s.windowed || (width == s.least_width && height == s.least_height)) return;
    s.least_width = width;
    s.least_height = height;
    if (GLFWmonitor* monitor = monitor_of(window)) {
        Place area;
        glfwGetMonitorWorkarea(monitor, &area.x, &area.y, &area.width, &area.height);
        if (area.width > 0) width = std::min(width, area.width);
        if (area.height > 0) height = std::min(height, area.height);
    }
    glfwSetWindowSizeLimits(window, width, height, GLFW_DONT_CARE, GLFW_DONT_CARE);
    Place now;
    glfwGetWindowSize(window, &now.width, &now.height);
    if (now.width < width || now.height < height)
        glfwSetWindowSize(window, std::max(now.width, width), std::max(now.height, height));
}

float Window::screen_scale() const {
    GLFWwindow* const window = state_->window.get();
    float scale_x = 1, scale_y = 1;
    glfwGetWindowContentScale(window, &scale_x, &scale_y);
    int width = 0, height = 0, pixels_x = 0, pixels_y = 0;
    glfwGetWindowSize(window, &width, &height);
    glfwGetFramebufferSize(window, &pixels_x, &pixels_y);
    if (width <= 0 || pixels_x <= 0) return 1;
    return scale_x * static_cast<float>(width) / static_cast<float>(pixels_x);
}

WindowSize Window::size() const {
    WindowSize size;
    glfwGetWindowSize(state_->window.get(), &size.width, &size.height);
    return size;
}

std::optional<std::filesystem::path> Window::take_dropped_file() {
    return std::exchange(state_->events.dropped, std::nullopt);
}

}  // namespace tilereel
