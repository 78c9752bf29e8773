#pragma once
// Converts the records of a GPU to those of a trace: all cores convert blocks, which are merged in
// order.
#include "instrumentation/base/result.h"
#include "instrumentation/gpu/convert/gpu_records.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::gpu {

// Fills the trace's columns, sites and patterns. If the buffer lacks records of a warp,
// the warp ends with its last record in the buffer.
Status convert_gpu_records(const GpuConversion& conversion, Trace& trace);

}  // namespace tilereel::gpu
