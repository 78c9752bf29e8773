#pragma once
// Tensor maps of matrices (CUDA Driver API, "Tensor Map Object Management").
#include <cuda.h>
#include <cudaTypedefs.h>

#include "instrumentation/base/result.h"
#include "kernels/cuda/cuda_handles.h"

namespace tilereel {

// The smallest distance of rows, in floats, that the TMA can read: rows must be 16-byte aligned.
[[nodiscard]] constexpr int in_whole_fours(int columns) { return (columns + 3) / 4 * 4; }

class TensorMaps {
  public:
    // `instead`: what to do if the driver has no tensor maps.
    static Result<TensorMaps> find(const char* instead);
    // Of a matrix whose rows are in_whole_fours(columns) floats apart, in boxes of `box_rows` x
    // `box_columns`. In shared memory their 16-byte pieces are exchanged within `swizzle_bytes`:
    // 32, 64 or 128, which a row of the box is then; 0: they are not.
    Result<CUtensorMap> make(const float* matrix, int rows, int columns, int box_rows,
                             int box_columns, int swizzle_bytes) const;

  private:
    PFN_cuTensorMapEncodeTiled_v12000 encode_ = nullptr;
    const char* instead_ = "";
};

}  // namespace tilereel
