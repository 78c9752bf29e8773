#pragma once
// Accesses beside every allocation, by code without hooks: they hit a page where nothing is. The
// page is opened so that the program goes on, and the access is told when the launch has ended.
#include <cstdint>
#include <optional>
#include <vector>

#include "instrumentation/plain/hooks.h"

namespace tilereel::plain {

struct Stray {
    std::uint64_t address = 0;
    std::uint64_t code = 0;      // the instruction; 0: `site` says where
    const Site* site = nullptr;  // or null
    bool is_store = false;
    std::uint32_t block = 0, thread = 0;
};
// An access of this CPU thread's that has been told as a finding before it takes place; it is not
// told again.
extern thread_local std::optional<std::uint64_t> told_address;
[[nodiscard]] inline bool is_told(std::uint64_t address) {
    constexpr std::uint64_t kWidest = 16;
    return told_address && address - *told_address < kWidest;
}
// From a signal handler. False: there were too many.
bool note_stray(const Stray& stray);
// Those that were noted since the last call; at most the first 64.
[[nodiscard]] std::vector<Stray> take_strays();

}  // namespace tilereel::plain
