#pragma once
// The emulator: any kernel of the dialect, all its blocks, on any number of workers.
#include <cstdint>

#include "instrumentation/base/result.h"
#include "instrumentation/record/block_runner.h"
#include "instrumentation/record/record.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct EmulatedLaunch {
    Launch launch;  // shared_bytes is found by running
    KernelBody body = nullptr;
    std::uint32_t dynamic_shared_bytes = 0;
    unsigned workers = 0;                       // 0: one a core
    std::uint32_t accumulator_interval = 1;     // at least 1
    std::uint32_t first_block = 0, blocks = 0;  // which to run; blocks 0: all from the first on
    std::uint64_t memory_limit_bytes = kDefaultMemoryLimitBytes;
};

// The trace of a launch before anything ran: its arrays, inputs, and a C full of NaN.
[[nodiscard]] Trace empty_trace(const EmulatedLaunch& launch, Inputs inputs);

// Blocks that a worker records at a time, before they are added to the trace.
[[nodiscard]] std::uint32_t blocks_of_a_batch(std::uint32_t blocks, unsigned workers);

// Runs the kernel on `inputs` and returns its trace with C as it left it (unchecked) and without
// source text. An out-of-range index, too little memory or a cancellation is kFailed.
Result<Trace> emulate(const EmulatedLaunch& launch, Inputs inputs,
                      RecordProgress* progress = nullptr);

}  // namespace tilereel
