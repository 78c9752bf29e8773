#pragma once
// Accesses outside of all allocations by code without hooks: they hit an inaccessible page. The
// page is made accessible so that the program goes on, and the access is reported after the launch.
#include <cstdint>
#include <optional>
#include <vector>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

struct Stray {
    std::uint64_t address = 0;
    std::uint64_t code = 0;      // address of the instruction; 0: see `site`
    const Site* site = nullptr;  // or null
    bool is_store = false;
    std::uint32_t block = 0, thread = 0;
};
// The address of an access that this CPU thread reported before it happened. It is not reported
// again.
extern thread_local std::optional<std::uint64_t> told_address;
[[nodiscard]] inline bool is_told(std::uint64_t address) {
    constexpr std::uint64_t kWidest = 16;
    return told_address && address - *told_address < kWidest;
}
// Called from a signal handler. Returns false after too many strays.
bool note_stray(const Stray& stray);
// The strays since the last call; at most the first 64.
[[nodiscard]] std::vector<Stray> take_strays();

}  // namespace tilereel::plain
