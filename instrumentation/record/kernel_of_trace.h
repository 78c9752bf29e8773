#pragma once
// Which kernel of the catalogue a trace was recorded from, and whether its launch is one that this
// kernel can have. A trace file brings its own parameters, and may be of any other kernel.
#include <filesystem>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"
#include "instrumentation/trace/trace_file.h"
#include "kernels/catalog.h"

namespace tilereel {

// M, N, K, TILE and PAD of the launch.
[[nodiscard]] KernelParameters parameters_of(const Launch& launch);

// The kernel of the catalogue that has the launch's name. nullptr if there is none, or if it cannot
// have this launch: then nothing that the catalogue says holds for the trace.
[[nodiscard]] const KernelInfo* kernel_of_trace(const Trace& trace);

// Compares TILE, PAD, grid, block and the removed barrier with the catalogue's kernel of the same
// name. Accepts the trace if there is no such kernel, or if its source text is another. The error
// completes "it ...".
Status check_kernel_of_trace(const Trace& trace);

// read_trace() and check_kernel_of_trace().
Result<Trace> open_trace(const std::filesystem::path& path, const TraceReadLimits& limits = {});

}  // namespace tilereel
