#pragma once
#include <memory>

#include "instrumentation/cuda/runtime/launch_facts.h"
#include "instrumentation/cuda/runtime/launch_recorder.h"

namespace tilereel::runtime {

// The recorder of a launch. It writes a trace file, or hands the trace over in memory if
// Options::memory_file says so.
[[nodiscard]] std::unique_ptr<LaunchRecorder> make_recorder(const LaunchFacts& facts);

}  // namespace tilereel::runtime
