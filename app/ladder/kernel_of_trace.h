#pragma once
// Finds the kernel of the catalogue that a trace was recorded from, and checks whether the kernel
// can have this launch. A trace file may have any parameters, and may come from any other kernel.
#include <filesystem>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/file/trace_file.h"
#include "instrumentation/trace/trace.h"
#include "kernels/catalog.h"

namespace tilereel {

// M, N, K, TILE and PAD of the launch.
[[nodiscard]] KernelParameters parameters_of(const Launch& launch);

// The kernel of the catalogue with the name of the launch. nullptr if there is none, or if it
// cannot have this launch: then the catalogue does not describe the trace.
[[nodiscard]] const KernelInfo* kernel_of_trace(const Trace& trace);

// Compares TILE, PAD, grid, block and the removed barrier with the catalogue's kernel of the same
// name. Accepts the trace if there is no such kernel, or if its source text differs. The error
// completes the sentence "it ...".
Status check_kernel_of_trace(const Trace& trace);

// read_trace() and check_kernel_of_trace().
Result<Trace> open_trace(const std::filesystem::path& path, const TraceReadLimits& limits = {});

}  // namespace tilereel
