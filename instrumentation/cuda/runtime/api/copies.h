#pragma once
#include <cstddef>
#include <cstdint>

#include "cuda_runtime_api.h"

namespace tilereel::runtime {

// What cudaMemcpy, cudaMemcpy2D, cudaMemcpy3D and cudaMemset2D do. `caller`: the return address of
// the program's call, for the findings.
cudaError_t copy(void* to, const void* from, std::uint64_t bytes, cudaMemcpyKind kind,
                 const void* caller);
cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, cudaMemcpyKind kind,
                      const void* caller);
cudaError_t copy_3d(const cudaMemcpy3DParms& parameters, const void* caller);
cudaError_t fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      const void* caller);

}  // namespace tilereel::runtime
