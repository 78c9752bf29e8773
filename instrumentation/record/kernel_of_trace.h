#pragma once
// Which kernel of the catalogue a trace was recorded from, and whether its launch is one that this
// kernel can have. A trace file brings its own parameters, and may be of any other kernel.
#include <filesystem>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"
#include "instrumentation/trace/trace_file.h"
#include "kernels/catalog.h"

namespace tilereel {

// What the launch was asked for.
[[nodiscard]] KernelParameters parameters_of(const Launch& launch);

// nullptr: it is not in the catalogue, or not with this launch. Then no rule of the catalogue
// holds.
[[nodiscard]] const KernelInfo* kernel_of_trace(const Trace& trace);

// TILE, PAD, grid, block and the removed barrier against what the catalogue says of the kernel. The
// text decides which kernel it is: with another text under the same name, anything goes. The error
// completes "it ...".
Status check_kernel_of_trace(const Trace& trace);

// read_trace() and check_kernel_of_trace().
Result<Trace> open_trace(const std::filesystem::path& path, const TraceReadLimits& limits = {});

}  // namespace tilereel
