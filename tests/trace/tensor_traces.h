#pragma once
// The trace of a warp that multiplies on tensor cores, made record by record like that of a
// recorder: C (16 x 8, float) = A (16 x 32) B (32 x 8), bfloat16, two products m16n8k16.
#include "instrumentation/trace/trace.h"

namespace tilereel::tests {

struct TensorTraceOptions {
    bool swizzled = true;     // pieces of 16 bytes by XOR with the row's number
    bool all_ones = false;    // all elements of A and B are 1
    bool multiplies = true;   // false: only the loads of matrices
    bool transposes = false;  // B lies by rows, and is loaded with .trans
};
// Lines: 3 and 4 store the tiles As and Bs, 5 is the barrier, 7 loads A (x4), 8 loads B (x2), 9
// multiplies, 11 stores C. A row of a tile has 128 bytes.
[[nodiscard]] Trace tensor_trace(const TensorTraceOptions& options = {});

// The elements of A, of B, and of the sums over the first `k` columns of A.
[[nodiscard]] float tensor_a(const TensorTraceOptions& options, int row, int k);
[[nodiscard]] float tensor_b(const TensorTraceOptions& options, int k, int column);
[[nodiscard]] float tensor_sum(const TensorTraceOptions& options, int row, int column, int k);

}  // namespace tilereel::tests
