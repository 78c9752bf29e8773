#pragma once
// Tensor maps of matrices (CUDA Driver API, "Tensor Map Object Management").
#include <cuda.h>
#include <cudaTypedefs.h>

#include "instrumentation/base/result.h"
#include "kernels/cuda/cuda_handles.h"

namespace tilereel {

// The smallest leading dimension, in floats, that the TMA accepts: rows must be 16-byte aligned.
[[nodiscard]] constexpr int aligned_leading_dimension(int columns) { return (columns + 3) / 4 * 4; }

class TensorMaps {
  public:
    // `instead`: what to do if the driver has no tensor maps.
    static Result<TensorMaps> find(const char* instead);
    // Of a matrix with leading dimension aligned_leading_dimension(columns), in boxes of `box_rows`
    // x `box_columns`. `swizzle_bytes`: 32, 64 or 128 for a swizzled box, whose rows have that many
    // bytes; 0: no swizzle.
    Result<CUtensorMap> make(const float* matrix, int rows, int columns, int box_rows,
                             int box_columns, int swizzle_bytes) const;

  private:
    PFN_cuTensorMapEncodeTiled_v12000 encode_ = nullptr;
    const char* instead_ = "";
};

}  // namespace tilereel
