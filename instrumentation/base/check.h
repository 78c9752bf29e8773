#pragma once
// check(condition): aborts with file and line when a bug, not a user, made the condition false.
#include <cstdio>
#include <cstdlib>

namespace tilereel {

// The default arguments are evaluated where check() is called. (std::source_location would do, but
// Debian 12's clang-tidy cannot read it.)
inline void check(bool condition, const char* file = __builtin_FILE(), int line = __builtin_LINE(),
                  const char* function = __builtin_FUNCTION()) {
    if (condition) [[likely]]
        return;
    std::fprintf(stderr, "tilereel: a bug at %s:%d in %s; please report it\n", file, line,
                 function);
    std::abort();
}

}  // namespace tilereel
