// The runtime of a recorded program: compiled by the g++ of the user's machine with CUDA's own
// headers and linked into the program. C++17.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dump.h"

namespace tilereel_gpu {

// Memory that device code can reach, outside of a launch: an allocation or a variable.
struct Region {
    std::uint64_t address = 0, bytes = 0;
    std::string symbol;  // of a variable
    bool is_constant = false;
};
std::vector<Region> regions();
// The tensor maps that the program has made.
std::vector<DumpMap> tensor_maps();

// A launch of the program's, whichever call it came by.
struct LaunchCall {
    const void* kernel = nullptr;
    std::string symbol;  // mangled; empty: not known
    dim3 grid, block;
    void** parameters = nullptr;
    std::size_t dynamic_shared_bytes = 0;
    std::uint64_t called_from = 0;  // address in the program, from its beginning; 0: not known
    std::function<cudaError_t()> launch;
};
// Launches, and records as the parent has asked for.
cudaError_t run_launch(const LaunchCall& call);

// Hands the trace to every module of the program.
cudaError_t use_trace(const DeviceTrace& trace);

}  // namespace tilereel_gpu
