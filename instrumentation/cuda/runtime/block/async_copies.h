#pragma once
// Asynchronous copies from global to shared memory (PTX ISA, cp.async). The plugin sees only the
// calls that start them, so the runtime makes the sites of their accesses.
#include "instrumentation/cuda/hooks.h"

namespace tilereel::runtime {

[[nodiscard]] bool is_async_copy(const Site& site);

// The sites of the read and the write of a copy, for each call, width and kind of copy.
struct CopySites {
    Site load{}, store{};
};
[[nodiscard]] CopySites& copy_sites(const Site& call, std::uint32_t width, bool asynchronous);

}  // namespace tilereel::runtime
