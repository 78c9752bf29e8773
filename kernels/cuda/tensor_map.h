#pragma once
// Tensor maps of matrices (CUDA Driver API, "Tensor Map Object Management").
#include <cuda.h>
#include <cudaTypedefs.h>

#include "instrumentation/base/result.h"
#include "kernels/cuda/cuda_handles.h"
#include "kernels/input_type.h"

namespace tilereel {

class TensorMaps {
  public:
    // `instead`: what to do if the driver has no tensor maps.
    static Result<TensorMaps> find(const char* instead);
    // Of a matrix with leading dimension aligned_row(columns, type), in boxes of `box_rows`
    // x `box_columns`. `swizzle_bytes`: 32, 64 or 128 for a swizzled box, whose rows have that many
    // bytes; 0: no swizzle.
    Result<CUtensorMap> make(const void* matrix, InputType type, int rows, int columns,
                             int box_rows, int box_columns, int swizzle_bytes) const;

  private:
    PFN_cuTensorMapEncodeTiled_v12000 encode_ = nullptr;
    const char* instead_ = "";
};

}  // namespace tilereel
