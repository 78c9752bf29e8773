#pragma once
// Accesses outside of all allocations by code without hooks. Such an access hits an inaccessible
// page and raises a signal. The handler makes the page accessible so that the program continues,
// and the access is reported after the launch.
#include <cstdint>
#include <vector>

#include "instrumentation/cuda/hooks.h"

namespace tilereel::runtime {

struct OutOfBoundsAccess {
    std::uint64_t address = 0;
    std::uint64_t code = 0;      // address of the instruction; 0: unknown
    const Site* site = nullptr;  // or null
    bool is_store = false;
    std::uint32_t block = 0, thread = 0;
};
// Called from a signal handler. Returns false after too many accesses.
bool note_out_of_bounds(const OutOfBoundsAccess& access);
// The accesses since the last call; at most the first 64.
[[nodiscard]] std::vector<OutOfBoundsAccess> take_out_of_bounds();

}  // namespace tilereel::runtime
