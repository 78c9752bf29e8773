#pragma once
// check(condition): aborts with file and line when a bug, not a user, made the condition false.
// dcheck(condition): the same for invariants of hot code, such as an index that must be inside.
// Only builds with TILEREEL_DCHECKS (presets dev, asan and tsan) look at it.
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

#ifdef TILEREEL_DCHECKS
inline constexpr bool kDchecks = true;
#else
inline constexpr bool kDchecks = false;
#endif

// The condition must have no effect: an optimised build without dchecks leaves it out.
inline void dcheck([[maybe_unused]] bool condition,
                   [[maybe_unused]] const char* file = __builtin_FILE(),
                   [[maybe_unused]] int line = __builtin_LINE(),
                   [[maybe_unused]] const char* function = __builtin_FUNCTION()) {
    if constexpr (kDchecks) check(condition, file, line, function);
}

}  // namespace tilereel
