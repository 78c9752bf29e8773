#include "app/ui/drivers.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>

namespace tilereel {
namespace {

bool threads_can_be_started() {
    try {
        std::jthread([] {}).join();
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

[[noreturn]] void end_with(const char* sentence) {
    std::fflush(stdout);
    std::fputs(sentence, stderr);
    std::_Exit(1);  // without a display connection the window cannot be closed in order
}

}  // namespace

void prepare_drivers() {
    constexpr int kDoNotOverwrite = 0;
    ::setenv("EGL_LOG_LEVEL", "fatal", kDoNotOverwrite);
    ::setenv("LIBGL_DEBUG", "quiet", kDoNotOverwrite);
    ::setenv("MESA_DEBUG", "silent", kDoNotOverwrite);
    // Mesa's software renderer waits forever for threads that it could not start.
    if (!threads_can_be_started()) ::setenv("LP_NUM_THREADS", "0", 1);
}

// Looks the functions up by name, so that Xlib need not be installed (on Wayland it may be
// missing). GLFW loads Xlib with dlopen(), so its symbols are not visible otherwise.
void take_over_display_errors() {
    using OnLoss = int(void* display);
    using OnError = int(void* display, void* event);
    using SetOnLoss = OnLoss*(OnLoss*);
    using SetOnError = OnError*(OnError*);
    void* const xlib = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (xlib == nullptr) return;
    auto* const on_loss = reinterpret_cast<SetOnLoss*>(::dlsym(xlib, "XSetIOErrorHandler"));
    if (on_loss != nullptr)
        on_loss([](void*) -> int {
            end_with("tilereel: the connection to the display was lost; start Tilereel again\n");
        });
    auto* const on_error = reinterpret_cast<SetOnError*>(::dlsym(xlib, "XSetErrorHandler"));
    if (on_error != nullptr)
        on_error([](void*, void*) -> int {
            end_with(
                "tilereel: the display refused a request of the window; start again with "
                "LIBGL_ALWAYS_SOFTWARE=1\n");
        });
}

}  // namespace tilereel
