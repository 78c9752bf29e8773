#pragma once
// Shared by the race's GPU parts: CUDA errors as sentences, and owned GPU memory.
#include <cstdint>
#include <string>

#include "instrumentation/base/format/bytes_text.h"
#include "kernels/cuda/cuda_handles.h"

namespace tilereel {

inline constexpr const char* kRaceOnTheCpu = "race on the CPU";

inline Status race_status(cudaError_t error, const char* wanted) {
    return cuda_status(error, wanted, kRaceOnTheCpu);
}

// Allocates GPU memory, which is not initialised.
inline Result<CudaMemory> device_memory(std::uint64_t bytes) {
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, bytes);
    if (error == cudaErrorMemoryAllocation) {
        static_cast<void>(cudaGetLastError());  // clears the error, which is reported here
        std::size_t available = 0, all = 0;
        const bool known = cudaMemGetInfo(&available, &all) == cudaSuccess;
        return failed("the GPU has " + (known ? bytes_text(available) : "not enough memory") +
                      " free, not the " + bytes_text(bytes) + " needed; race a smaller size");
    }
    TRY(race_status(error, "give memory"));
    return CudaMemory(memory);
}

}  // namespace tilereel
