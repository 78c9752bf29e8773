#pragma once
// The schedule's smallest pieces: ticks, steps, barriers, parts of phases.
#include <cstdint>

#include "instrumentation/analysis/phases.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

using Tick = std::uint64_t;
inline constexpr std::uint32_t kNoStep = 0xffffffff;

// One request (load or store) in the schedule. An asynchronous copy is two: its read when it
// begins, its write when it arrives, where its warp waits for it. Multiply-adds and barriers have
// no step of their own: they take effect when the step before them in their warp ends.
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

struct Barrier {              // the block's n-th barrier, in time
    Tick at = 0;              // when the last warp arrives and all are released
    std::uint32_t epoch = 0;  // that it ends
    std::uint32_t line = 0;
};

struct PhaseSpan {  // [begin, end) of one part of one phase, for the timeline
    std::uint32_t phase = 0;
    Part part = Part::kLoad;
    Tick begin = 0, end = 0;
    bool barrier_after = false;
};

}  // namespace tilereel
