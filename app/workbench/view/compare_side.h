#pragma once
// A description of what one side of a comparison shows.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "instrumentation/trace/trace.h"
#include "kernels/catalog.h"

namespace tilereel {

// One side of a comparison: a kernel of the ladder, or a file.
struct CompareSide {
    std::string kernel;  // catalogue id
    KernelParameters parameters;
    std::uint32_t removed_barrier = 0;  // the line of the barrier that is left out; 0: none
    std::string generation = "9.0";     // Generation::id of the rules for costs
    // A trace (.npz) or a CUDA program (.cu) instead of the kernel; empty: none.
    std::filesystem::path file{};
    std::shared_ptr<const Trace> trace{};  // or a trace in memory, such as of a lesson's scene
    bool operator==(const CompareSide&) const = default;
};

}  // namespace tilereel
