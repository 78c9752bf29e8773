#pragma once
// Records a kernel of the ladder at any TILE and PAD that it can have (kernels/variants.h). Where
// they are built in, as record() of record/device/recorder.h does. Others are compiled on the spot:
// the kernel's plain CUDA file (kernels/plain) as any CUDA program is (program.h).
#include <string>

#include "instrumentation/record/record.h"

namespace tilereel::plain {

// As tilereel::record(). A kernel that is compiled is compiled by nvcc for kGpu, and for the CPU
// otherwise: kAuto says why in `without_gpu` (may be null). That a barrier is to be left out of it
// is kWrongCall. kFailed, with what to install, where there is no compiler. What was compiled is
// kept as long as the process lives. progress->compiling says when a compiler is at work.
Result<Trace> record_ladder(const RecordRequest& request, RecordProgress* progress = nullptr,
                            std::string* without_gpu = nullptr);

// From the plain CUDA file, on the CPU: by the program that is built in, or else compiled.
// request.removed_barrier is a line of that file, whatever TILE and PAD are.
Result<Trace> record_built_in(const RecordRequest& request, RecordProgress* progress = nullptr);

// Compiled by nvcc and recorded on this computer's GPU, though built in too: what tests compare.
Result<Trace> record_compiled_on_gpu(const RecordRequest& request,
                                     RecordProgress* progress = nullptr);
// Compiled anyway, though built in too: what tests compare.
Result<Trace> record_compiled(const RecordRequest& request, RecordProgress* progress = nullptr);

}  // namespace tilereel::plain
