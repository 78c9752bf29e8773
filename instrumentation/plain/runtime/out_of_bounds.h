#pragma once
// Accesses outside of all allocations by code without hooks: they hit an inaccessible page. The
// page is made accessible so that the program goes on, and the access is reported after the launch.
#include <cstdint>
#include <optional>
#include <vector>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

struct OutOfBoundsAccess {
    std::uint64_t address = 0;
    std::uint64_t code = 0;      // address of the instruction; 0: see `site`
    const Site* site = nullptr;  // or null
    bool is_store = false;
    std::uint32_t block = 0, thread = 0;
};
// The address of an access that this CPU thread reported before it happened. It is not reported
// again.
extern thread_local std::optional<std::uint64_t> reported_address;
[[nodiscard]] inline bool is_reported(std::uint64_t address) {
    constexpr std::uint64_t kWidest = 16;
    return reported_address && address - *reported_address < kWidest;
}
// Called from a signal handler. Returns false after too many accesses.
bool note_out_of_bounds(const OutOfBoundsAccess& access);
// The accesses since the last call; at most the first 64.
[[nodiscard]] std::vector<OutOfBoundsAccess> take_out_of_bounds();

}  // namespace tilereel::plain
