#pragma once
// After the run of a program that a GPU has recorded: its launches become trace files.
#include <filesystem>

#include "instrumentation/base/result.h"
#include "instrumentation/plain/gpu/gpu_facts.h"
#include "instrumentation/plain/program.h"

namespace tilereel::plain {

// Each launch gets its kernel's name and line, and its dump becomes a trace file beside it. What
// cannot be converted gets its reason.
void finish_gpu_run(const ProgramRequest& request, const std::filesystem::path& program,
                    const GpuFacts& facts, ProgramRun& run);

}  // namespace tilereel::plain
