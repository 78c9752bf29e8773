#pragma once
// Makes trace files of the launches of a program that was recorded on a GPU.
#include <filesystem>

#include "instrumentation/base/result.h"
#include "instrumentation/gpu/convert/gpu_facts.h"
#include "instrumentation/program/program_run.h"

namespace tilereel::program {

// Each launch gets its kernel's name and the line of its call in host code, and its dump is
// converted to a trace file in the same folder. If that fails, LaunchSummary::reason says why.
void finish_gpu_run(const ProgramRequest& request, const std::filesystem::path& program,
                    const gpu::GpuFacts& facts, ProgramRun& run);

}  // namespace tilereel::program
