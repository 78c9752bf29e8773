#pragma once
// Makes trace files of the launches of a program that was recorded on a GPU.
#include <filesystem>

#include "instrumentation/base/result.h"
#include "instrumentation/plain/gpu/gpu_facts.h"
#include "instrumentation/plain/program_run.h"

namespace tilereel::plain {

// Each launch gets its kernel's name and the line of its call in host code, and its dump is
// converted to a trace file in the same folder. If that fails, LaunchSummary::reason says why.
void finish_gpu_run(const ProgramRequest& request, const std::filesystem::path& program,
                    const GpuFacts& facts, ProgramRun& run);

}  // namespace tilereel::plain
