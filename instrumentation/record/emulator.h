#pragma once
// The emulator: any kernel of the dialect, all its blocks, on any number of workers.
#include <cstdint>

#include "instrumentation/base/result.h"
#include "instrumentation/record/block_runner.h"
#include "instrumentation/record/record.h"
#include "instrumentation/record/recording.h"
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
    // For a kernel with barriers in shared memory: its threads wait for each other between
    // accesses, so they run in exactly launch.order even with all barriers.
    bool in_order = false;
};

// The trace of a launch before anything ran: its arrays, inputs, and C as it is then.
[[nodiscard]] Trace empty_trace(const EmulatedLaunch& launch, Inputs inputs);

// Runs the kernel on `inputs` and returns its trace with C as it left it (unchecked) and without
// source text. An out-of-range index, too little memory or a cancellation is kFailed. Adds to
// progress->blocks_done; how many blocks there will be is for the caller to say.
//
// With launch.removed_barrier the barrier on that line is passed by, and threads run in exactly
// launch.order. In either case shared memory is NaN until it is written, so that a thread that
// reads too early leaves no number in C that could pass for a sum.
Result<Trace> emulate(const EmulatedLaunch& launch, Inputs inputs,
                      RecordProgress* progress = nullptr);

}  // namespace tilereel
