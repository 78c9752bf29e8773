#pragma once
// The trace of a plain CUDA program that launched a kernel of the ladder becomes the trace of that
// kernel, as the emulator would have recorded it.
#include "instrumentation/record/record_plan.h"

namespace tilereel::plain {

// `trace`: as the program recorded it; its kernel's parameters are called A, B and C. `inputs`:
// what they held before the launch. `c`: C after it. The error completes "the kernel ...".
Result<Trace> as_ladder_trace(Trace trace, const RequestedLaunch& requested,
                              const RecordRequest& request, Inputs inputs, std::vector<float> c);

}  // namespace tilereel::plain
