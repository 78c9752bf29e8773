#pragma once
// A request in, a Trace out: recorded on a GPU.
#include "instrumentation/base/result.h"
#include "instrumentation/record/record.h"
#include "kernels/cuda/gpu.h"

namespace tilereel {

struct GpuTimes {                    // where the time of a recording went
    double count_ms = 0;             // kernel, counting pass
    double fill_ms = 0;              // kernel, filling pass
    double convert_ms = 0;           // copying to the CPU and conversion, on all workers together
    std::uint64_t records = 0;       // on the GPU, those of stored words among them
    std::uint64_t buffer_bytes = 0;  // on the GPU
};

// Runs the traced build of the kernel twice, to count and to fill, checks C against the reference
// and returns the trace: the emulator's of the same request, with clocks and multiprocessors.
//
// Refuses (kFailed, with the estimate) what would not fit in memory_limit_bytes. What does not fit
// in the GPU's own memory is left out, whole blocks from the end, and the trace is not complete: a
// launch cannot be run block by block without changing what its threads see. kFailed also for every
// fault of the GPU or the kernel, and kCancelled.
Result<Trace> record_with_gpu(const RecordRequest& request, Gpu& gpu,
                              RecordProgress* progress = nullptr, GpuTimes* times = nullptr);

}  // namespace tilereel
