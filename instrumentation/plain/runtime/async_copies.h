#pragma once
// Asynchronous copies from global to shared memory (PTX ISA, cp.async). The plugin sees only their
// calls, so their accesses have sites that the runtime makes.
#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

[[nodiscard]] bool is_async_copy(const Site& site);

// Of a call, for each width and whether it is asynchronous: what it reads, what it writes.
struct CopySites {
    Site load{}, store{};
};
[[nodiscard]] CopySites& copy_sites(const Site& call, std::uint32_t width, bool asynchronous);

}  // namespace tilereel::plain
