#pragma once
// Asynchronous copies from global to shared memory (PTX ISA, cp.async). The plugin sees only their
// calls, so their accesses have sites that the runtime makes.
#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

[[nodiscard]] bool is_async_copy(const Site& site);

}  // namespace tilereel::plain
