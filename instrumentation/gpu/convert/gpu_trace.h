#pragma once
// Makes the trace of a launch that was recorded on a GPU.
#include <filesystem>
#include <string>

#include "instrumentation/base/result.h"
#include "instrumentation/gpu/convert/gpu_facts.h"
#include "instrumentation/trace/trace.h"

namespace tilereel::gpu {

struct GpuLaunch {
    std::uint32_t number = 0;
    bool whole = true;           // all records fitted into the buffer
    std::filesystem::path dump;  // gpu/dump.h
    std::filesystem::path file;  // the program's source, for Trace::source
};
[[nodiscard]] Result<Trace> gpu_trace(const GpuLaunch& launch, const GpuFacts& facts);

}  // namespace tilereel::gpu
