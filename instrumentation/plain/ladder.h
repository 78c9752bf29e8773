#pragma once
// Records a kernel of the ladder at any TILE and PAD that it can have (kernels/variants.h), from
// its plain CUDA file (kernels/plain). The built-in ones were compiled with Tilereel; others are
// compiled on the spot, as any CUDA program is (program.h).
#include <cstdint>
#include <functional>
#include <string>

#include "instrumentation/record/record.h"

namespace tilereel::plain {

// Records on the CPU, or on the GPU as request.recorder says: kAuto says in `without_gpu` (may be
// null) why the CPU took the GPU's place, and so does kGpu for a kernel without one of its
// barriers. A kernel that is not built in is compiled by nvcc for kGpu, and for the CPU otherwise.
// kFailed, with what to install, where there is no compiler, and with the estimate, what would not
// fit into request.memory_limit_bytes. What was compiled is kept as long as the process lives.
// progress->compiling says when a compiler is at work. A cancelled recording is kCancelled.
Result<Trace> record_ladder(const RecordRequest& request, RecordProgress* progress = nullptr,
                            std::string* without_gpu = nullptr);
// The same with another GPU: tests bring their own.
using RecordOnGpu = std::function<Result<Trace>(const RecordRequest&, RecordProgress*)>;
Result<Trace> record_ladder_on(const RecordOnGpu& on_gpu, const RecordRequest& request,
                               RecordProgress* progress = nullptr,
                               std::string* without_gpu = nullptr);

// On the CPU, whatever request.recorder says: by the program that is built in, or else compiled.
// With a removed barrier the launch says which one it was and in which order the threads ran. A
// kernel whose C is wrong is recorded like any other; Trace::wrong_elements says how much of C
// differs from the reference.
Result<Trace> record_built_in(const RecordRequest& request, RecordProgress* progress = nullptr);

// What the trace of record_built_in() will take in memory, at most: estimated from one block of a
// smaller product. kWrongCall as record_built_in().
Result<std::uint64_t> estimate_trace_bytes(const RecordRequest& request);

// Compiled anyway, though built in too: what tests compare.
Result<Trace> record_compiled(const RecordRequest& request, RecordProgress* progress = nullptr);

}  // namespace tilereel::plain
