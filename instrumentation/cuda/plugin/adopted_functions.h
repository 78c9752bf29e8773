#pragma once
#include "gcc.h"

namespace tilereel::runtime {

// Makes device functions of what a device function calls without __device__: constexpr functions,
// as std::max(), and members that the compiler makes. What they access is recorded, too.
// Calls in device code are marked as not throwing: behind a call that may throw a hook has no
// place.
void adopt_called_functions(function* caller);

// Whether a function became a device function so.
bool is_adopted(tree function);

}  // namespace tilereel::runtime
