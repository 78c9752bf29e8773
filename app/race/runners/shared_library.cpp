#include "app/race/runners/shared_library.h"

#include <dlfcn.h>

namespace tilereel {

Result<SharedLibrary> SharedLibrary::open(const std::vector<std::string>& names) {
    std::string first_error;
    for (const std::string& name : names) {
        void* const handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (handle) return SharedLibrary(handle, name);
        const char* const error = ::dlerror();
        if (first_error.empty() && error) first_error = error;
    }
    return failed(first_error);
}

void* SharedLibrary::address_of(const char* name) const { return ::dlsym(handle_, name); }

}  // namespace tilereel
