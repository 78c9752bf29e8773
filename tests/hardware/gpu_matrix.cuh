#pragma once
// A matrix in GPU memory, for launches that a profiler counts.
#include <cuda_runtime.h>

#include <memory>
#include <vector>

#include "kernels/cuda/cuda_handles.h"
#include "kernels/input_type.h"

namespace tilereel::hardware {

struct FreeDevice {
    void operator()(float* memory) const { static_cast<void>(cudaFree(memory)); }
};
using Matrix = std::unique_ptr<float, FreeDevice>;

// Copies the values, rounded to the type, to GPU memory. They begin `offset` floats after the start
// of the allocation, which is a multiple of 16 bytes. There is no cudaMemset(): it may run as a
// kernel, which the profiler would count.
inline Result<Matrix> copy_to_gpu(const std::vector<float>& values, std::size_t offset = 0,
                                  InputType type = InputType::kFloat32) {
    const std::vector<std::byte> bytes = bytes_of(type, values);
    float* memory = nullptr;
    cudaError_t error = cudaMalloc(&memory, bytes.size() + offset * sizeof(float));
    Matrix matrix(error == cudaSuccess ? memory : nullptr);
    if (error == cudaSuccess)
        error = cudaMemcpy(memory + offset, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
    if (const Status copied = cuda_status(error, "store a matrix"); !copied) return copied.error();
    return Result<Matrix>(std::move(matrix));
}

}  // namespace tilereel::hardware
