#pragma once
#include "instrumentation/base/check.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// The number of a thread in its launch, from 0, block by block.
[[nodiscard]] inline std::uint64_t thread_of_launch(const Trace& trace, std::size_t segment,
                                                    std::uint32_t lane) {
    dcheck(segment < trace.segments.size());
    return std::uint64_t{trace.segments.block[segment]} * trace.launch.threads() +
           trace.segments.warp[segment] * std::uint64_t{kWarpSize} + lane;
}

}  // namespace tilereel
