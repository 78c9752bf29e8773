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

// Memory that device code can access and that outlives a launch: an allocation or a variable.
struct Region {
    std::uint64_t address = 0, bytes = 0;
    std::string symbol;  // of a variable; empty for an allocation
    bool is_constant = false;
};
std::vector<Region> regions();
// The tensor maps that the program has encoded.
std::vector<DumpMap> tensor_maps();

// A launch by any of CUDA's launch functions.
struct LaunchCall {
    const void* kernel = nullptr;
    std::string symbol;  // mangled; empty if unknown
    dim3 grid, block;
    void** parameters = nullptr;
    std::size_t dynamic_shared_bytes = 0;
    std::uint64_t called_from = 0;  // offset of the call in the program; 0 if unknown
    std::function<cudaError_t()> launch;
    dim3 cluster{1, 1, 1};  // as the launch gives it; the kernel may give one, too
};
// Runs the launch and records it if the options say so.
cudaError_t run_launch(const LaunchCall& call);

// Copies the trace's description to every module of the program.
cudaError_t use_trace(const DeviceTrace& trace);

}  // namespace tilereel_gpu
