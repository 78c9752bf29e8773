#pragma once
#include "app/replay/replay.h"

namespace tilereel {

// What a cached value was computed from. A trace may be freed and another put at its address, so
// the launch and the sizes are part of it.
struct ReplayKey {
    const Trace* trace = nullptr;
    Launch launch;
    std::uint64_t records = 0;
    std::uint32_t block = 0;
    Tick ticks = 0;
    bool operator==(const ReplayKey& other) const;
};
[[nodiscard]] ReplayKey key_of(const Replay& replay);

}  // namespace tilereel
