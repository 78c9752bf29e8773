#pragma once
// The elements of a schedule: ticks, steps, barriers, parts of phases.
#include <cstdint>

#include "instrumentation/analysis/phases/phases.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

using Tick = std::uint64_t;
inline constexpr std::uint32_t kNoStep = 0xffffffff;

// One request in the schedule. An asynchronous copy is two steps: its read when it begins, and its
// write when its warp waits for it. Multiply-adds and barriers have no step of their own: they take
// effect at the end of the previous step of their warp.
struct Step {
    std::uint64_t record = 0;
    Tick begin = 0;
    std::uint32_t ticks = 1;
    std::uint16_t warp = 0;
    SiteId site = 0;
    std::uint32_t epoch = 0;
    std::uint32_t phase = 0;
    Part part = Part::kLoad;
    [[nodiscard]] Tick end() const { return begin + ticks; }
};

struct Barrier {              // a block barrier
    Tick at = 0;              // when the last warp arrives and all warps are released
    std::uint32_t epoch = 0;  // the epoch that it ends
    std::uint32_t line = 0;
};

struct PhaseSpan {  // the time [begin, end) of one part of one phase
    std::uint32_t phase = 0;
    Part part = Part::kLoad;
    Tick begin = 0, end = 0;
    bool barrier_after = false;
};

}  // namespace tilereel
