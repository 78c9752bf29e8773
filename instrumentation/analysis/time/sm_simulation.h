#pragma once
// One SM in time: its schedulers, its memory pipe and its L1 cache run the streams of the blocks
// that it holds at once.
//
// Why a simulation: the busiest pipe alone says how fast a kernel can be. How fast it is also
// depends on what waits for what, and on how many warps there are to fill the gaps. In each clock
// every scheduler issues one instruction of one of its warps that waits for nothing:
//
//   scheduler 0   warps 0, 4, 8, ..   ┐                ┌ shared memory: a wavefront a clock
//   scheduler 1   warps 1, 5, 9, ..   ├─ memory pipe ──┤ L1: a line a clock
//   scheduler 2   ...                 │                └ L2, DRAM: bytes a clock, long latency
//   scheduler 3   ...                 ┘  own FMA, ALU, XU and FP64 pipes
#include <vector>

#include "instrumentation/analysis/time/block_stream.h"
#include "instrumentation/analysis/time/gpu_model.h"
#include "instrumentation/analysis/time/sm_run.h"

namespace tilereel {

// `streams`: of the blocks that the SM holds at once, one for each; the same one may stand there
// more than once: its copies access other addresses. `following`: blocks that come after them, each
// as soon as one has ended. `sites`: of the trace.
[[nodiscard]] SmRun simulate_sm(const std::vector<const BlockStream*>& streams,
                                std::size_t following, const GpuModel& gpu,
                                const SmConditions& conditions, std::size_t sites);

}  // namespace tilereel
