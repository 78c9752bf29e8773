#pragma once
// Records a kernel of the ladder at any TILE and PAD that it can have (kernels/variants.h), from
// its CUDA file (kernels/ladder). The usual TILEs and PADs are compiled when Tilereel is
// built; others are compiled when they are recorded, like any CUDA program (program.h).
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/ladder/record_request.h"

namespace tilereel {

// Records on the device that request.recorder selects. kAuto falls back to the CPU, and so does
// kGpu if a barrier is removed; `without_gpu` (may be null) then gets the reason. A kernel that is
// not built in is compiled by nvcc for kGpu, and by g++ otherwise; the result is kept until the
// process ends, and progress->compiling is true while a compiler runs. kFailed: there is no
// compiler (the message says what to install), or the trace would exceed request.memory_limit_bytes
// (the message has the estimate). kCancelled: progress->cancel was set.
Result<Trace> record_ladder(const RecordRequest& request, RecordProgress* progress = nullptr,
                            std::string* without_gpu = nullptr);
// The same with another function that records on the GPU, for tests.
using RecordOnGpu = std::function<Result<Trace>(const RecordRequest&, RecordProgress*)>;
Result<Trace> record_ladder_on(const RecordOnGpu& on_gpu, const RecordRequest& request,
                               RecordProgress* progress = nullptr,
                               std::string* without_gpu = nullptr);

// Records on the CPU and ignores request.recorder: with the built-in program, or one that it
// compiles. With a removed barrier, Trace::launch names the barrier and the order of the threads. A
// wrong C is no error: Trace::wrong_elements counts the elements that differ from the reference.
Result<Trace> record_built_in(const RecordRequest& request, RecordProgress* progress = nullptr);

// Records these blocks, ascending, on the CPU; the others do not run, so C is wrong where blocks
// need each other. For what blocks access, whatever the values are.
Result<Trace> record_blocks_alone(const RecordRequest& request, std::vector<std::uint32_t> blocks,
                                  RecordProgress* progress = nullptr);

// An upper bound for the memory of the trace of record_built_in(), estimated from one block of a
// smaller product. Fails with kWrongCall if record_built_in() would.
Result<std::uint64_t> estimate_trace_bytes(const RecordRequest& request);

// Compiles the kernel even if it is built in, for tests that compare the two.
Result<Trace> record_compiled(const RecordRequest& request, RecordProgress* progress = nullptr);

}  // namespace tilereel
