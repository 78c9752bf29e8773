#pragma once
// check(condition): aborts with file and line when a bug, not a user, made the condition false.
#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace tilereel {

inline void check(bool condition,
                  const std::source_location& where = std::source_location::current()) {
    if (condition) [[likely]]
        return;
    std::fprintf(stderr, "tilereel: a bug at %s:%u in %s; please report it\n", where.file_name(),
                 static_cast<unsigned>(where.line()), where.function_name());
    std::abort();
}

}  // namespace tilereel
