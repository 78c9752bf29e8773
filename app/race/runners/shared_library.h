#pragma once
// An optional shared library, which is loaded when it is needed and not when the program starts.

#include <string>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

class SharedLibrary {
  public:
    // Opens the first existing one of these names or paths. kFailed with the loader's message.
    static Result<SharedLibrary> open(const std::vector<std::string>& names);
    // Sets `function`. kFailed if the library has no function of this name.
    template <class Function>
    Status find(const char* name, Function*& function) const {
        function = reinterpret_cast<Function*>(address_of(name));
        if (!function) return failed(name_ + " has no " + name + "; use another version of it");
        return Done{};
    }
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    SharedLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
    [[nodiscard]] void* address_of(const char* name) const;
    void* handle_;  // never closed: such libraries keep threads of their own
    std::string name_;
};

}  // namespace tilereel
