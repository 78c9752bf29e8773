#include "app/ui/leak_check.h"

#include "instrumentation/base/sanitizers.h"

#if TILEREEL_ADDRESS_SANITIZER
#include <dlfcn.h>
#include <link.h>

#include <cstddef>

// LeakSanitizer looks this function up by name. It lists libraries whose leaks are not ours.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:_dri.so\nleak:libgallium\nleak:libLLVM\nleak:libEGL\nleak:libGLX\n"
           "leak:libGLdispatch\nleak:libglapi\nleak:libgbm\nleak:libdrm\nleak:libX11\n";
}

#endif

namespace tilereel {

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
