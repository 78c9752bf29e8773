#pragma once
// What the recorded blocks ask of each pipe, whatever the order: the bound of an estimate.
#include <cstdint>
#include <vector>

#include "instrumentation/analysis/generations/generation.h"
#include "instrumentation/analysis/time/gpu_model.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct PipeWork {
    double memory = 0;                          // passes: wavefronts and lines
    double fma = 0, alu = 0, xu = 0, fp64 = 0;  // clocks of the pipes of an SM
    double tensor = 0;                          // multiply-adds of threads by matrix products
    double issued = 0;                          // recorded instructions of warps
    double sectors = 0;                         // of global memory, as if there were no L1 cache
};
// of = a + (b - a) * steps, for work that grows by steps.
[[nodiscard]] PipeWork extrapolated(const PipeWork& a, const PipeWork& b, double steps);

// The average of a trace's recorded blocks.
[[nodiscard]] PipeWork work_of_a_block(const Trace& trace, const Generation& generation,
                                       const SmTimes& sm);
// The clocks that the busiest pipe of an SM needs for it.
[[nodiscard]] double least_clocks(const PipeWork& work, const SmTimes& sm);

// Atomics on global memory, of a block on average: the passes of the slice of L2 that has most of
// them. A slice changes the words of a sector together, a word once in a pass.
[[nodiscard]] double passes_of_one_slice(const Trace& trace);

// The instructions of each of `blocks`, as they are recorded: those that a warp issues for a
// record, and those of Site::instructions.
[[nodiscard]] std::vector<double> instructions_of(const Trace& trace,
                                                  const std::vector<std::uint32_t>& blocks);

// The blocks whose records are all there, ascending.
[[nodiscard]] std::vector<std::uint32_t> whole_blocks(const Trace& trace);

}  // namespace tilereel
