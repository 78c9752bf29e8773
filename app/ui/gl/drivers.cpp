#include "app/ui/gl/drivers.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "instrumentation/base/sanitizers.h"

#if TILEREEL_ADDRESS_SANITIZER
#include <link.h>

// LeakSanitizer looks this function up by name. It lists libraries whose leaks are not ours.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:_dri.so\nleak:libgallium\nleak:libLLVM\nleak:libEGL\nleak:libGLX\n"
           "leak:libGLdispatch\nleak:libglapi\nleak:libgbm\nleak:libdrm\nleak:libX11\n";
}

#endif

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

void keep_drivers_for_leak_check() {
#if TILEREEL_ADDRESS_SANITIZER
    const auto keep = [](dl_phdr_info* library, std::size_t, void*) {
        if (library->dlpi_name != nullptr && library->dlpi_name[0] != '\0')
            dlopen(library->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        return 0;
    };
    dl_iterate_phdr(keep, nullptr);
#endif
}

}  // namespace tilereel
