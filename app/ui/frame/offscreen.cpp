#include "app/ui/frame/offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "app/ui/cells/cell_renderer.h"
#include "app/ui/fonts/fonts.h"
#include "app/ui/frame/imgui_context.h"
#include "app/ui/gl/canvas.h"
#include "app/ui/gl/drivers.h"

namespace tilereel {
namespace {

// An OpenGL 3.3 core context without a surface.
class EglContext {
  public:
    EglContext() = default;
    ~EglContext() {
        if (display_ == EGL_NO_DISPLAY) return;
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
        eglTerminate(display_);
    }
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    Status open() {
        prepare_drivers();
        if (!start(EGL_PLATFORM_SURFACELESS_MESA, reinterpret_cast<void*>(EGL_DEFAULT_DISPLAY)) &&
            !start_on_a_device())
            return failed(
                "pictures without a window need Mesa's EGL and the memory for it: install "
                "libegl-mesa0 and libgl1-mesa-dri, or free some memory");
        eglBindAPI(EGL_OPENGL_API);
        // EGL_SURFACE_TYPE 0 accepts a configuration for any kind of surface.
        const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                 EGL_NONE};
        EGLConfig config = nullptr;
        EGLint found = 0;
        eglChooseConfig(display_, wanted, &config, 1, &found);
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  3,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE};
        context_ =
            eglCreateContext(display_, found > 0 ? config : nullptr, EGL_NO_CONTEXT, version);
        if (context_ == EGL_NO_CONTEXT ||
            eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_FALSE ||
            gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)) == 0)
            return failed(
                "pictures need OpenGL 3.3, which EGL does not give here; install "
                "libgl1-mesa-dri or set LIBGL_ALWAYS_SOFTWARE=1");
        keep_drivers_for_leak_check();
        return Done{};
    }

  private:
    bool start(EGLenum platform, void* native) {
        const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
            eglGetProcAddress("eglGetPlatformDisplayEXT"));
        if (get_display == nullptr) return false;
        const EGLDisplay display = get_display(platform, native, nullptr);
        if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE)
            return false;
        display_ = display;
        return true;
    }

    // Drivers other than Mesa's have one EGL display for each GPU (EGL_EXT_platform_device).
    bool start_on_a_device() {
        const auto query =
            reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
        std::array<EGLDeviceEXT, 16> devices{};
        EGLint count = 0;
        if (query == nullptr ||
            query(static_cast<EGLint>(devices.size()), devices.data(), &count) == EGL_FALSE)
            return false;
        return std::any_of(devices.begin(), devices.begin() + count, [this](EGLDeviceEXT device) {
            return start(EGL_PLATFORM_DEVICE_EXT, device);
        });
    }

    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
};

constexpr int kSettlingFrames = 4;  // a new font size may change the layout and so request another

}  // namespace

struct OffscreenRenderer::State {  // members are destroyed from the last to the first
    EglContext egl;
    Canvas canvas;
    std::unique_ptr<ImGuiOnOpenGl> imgui;
    std::unique_ptr<CellRenderer> cells;
    FramePainter painter;
};

OffscreenRenderer::OffscreenRenderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
OffscreenRenderer::~OffscreenRenderer() = default;

Result<std::unique_ptr<OffscreenRenderer>> OffscreenRenderer::create(int width, int height) {
    check(width > 0 && height > 0);
    auto state = std::make_unique<State>();
    TRY(state->egl.open());
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (width > largest || height > largest)
        return failed("a picture can be at most " + std::to_string(largest) +
                      " pixels wide and high here; ask for less with --size");
    Canvas canvas = TRY(make_canvas(width, height));
    state->canvas = std::move(canvas);
    forget_fonts();  // a picture must not depend on earlier ones
    state->imgui = std::make_unique<ImGuiOnOpenGl>();
    if (!state->imgui->started())
        return failed("Dear ImGui cannot start on this OpenGL; set LIBGL_ALWAYS_SOFTWARE=1");
    std::unique_ptr<CellRenderer> cells = TRY(CellRenderer::create());
    state->cells = std::move(cells);
    return std::unique_ptr<OffscreenRenderer>(new OffscreenRenderer(std::move(state)));
}

void OffscreenRenderer::build(double frame_seconds, const std::function<void()>& draw) {
    if (state_->imgui->begin_frame()) state_->painter.forget();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(state_->canvas.width),
                      static_cast<float>(state_->canvas.height)};
    // Dear ImGui requires a positive time step.
    io.DeltaTime = std::max(static_cast<float>(frame_seconds), 1e-6f);
    ImGui::NewFrame();
    draw();
    ImGui::Render();
}

bool OffscreenRenderer::is_unfinished() const { return state_->painter.is_unfinished(); }
void OffscreenRenderer::forget() { state_->painter.forget(); }

const std::vector<PixelRect>& OffscreenRenderer::render(Painting painting) {
    glBindFramebuffer(GL_FRAMEBUFFER, state_->canvas.framebuffer.id());
    const std::vector<PixelRect>& painted = state_->painter.paint(painting);
    glFinish();
    return painted;
}

void OffscreenRenderer::draw_settled(double frame_seconds,
                                     const std::function<void(double)>& draw) {
    for (int pass = 0; pass < kSettlingFrames && (pass == 0 || fonts_wanted()); ++pass)
        build(0, [&draw] { draw(0); });
    build(frame_seconds, [&draw, frame_seconds] { draw(frame_seconds); });
    // The last build may have requested new font sizes.
    for (int pass = 0; pass < kSettlingFrames && fonts_wanted(); ++pass)
        build(0, [&draw] { draw(0); });
    render();
}

std::string OffscreenRenderer::graphics() const {
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return name == nullptr ? "" : name;
}

Image OffscreenRenderer::read() const {
    glBindFramebuffer(GL_FRAMEBUFFER, state_->canvas.framebuffer.id());
    return read_framebuffer(state_->canvas.width, state_->canvas.height);
}

}  // namespace tilereel
