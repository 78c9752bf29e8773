#pragma once
// How a product kernel of the user's own is launched for any M, N and K, recognised from a
// recording of its program.
#include <string>

#include "app/race/runners/own_kernel.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct OwnCall {
    // A statement of CUDA with A, B, C (float*) and M, N, K (int) as its variables:
    // "tiled<16><<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K)".
    std::string statement;
    std::string kernel;                    // "tiled<16>"; empty: the statement is the user's
    std::uint64_t shared_bytes = 0;        // dynamic shared memory of a block
    int rows = 1, columns = 1, depth = 1;  // OwnKernel
    bool square = false;
};

// From a launch whose product was recognised. kFailed, with what is not clear and an example of
// --call: a matrix that is not row-major float32, a parameter without a meaning, a grid that does
// not cover C in equal steps.
[[nodiscard]] Result<OwnCall> recognise_call(const Trace& trace);

}  // namespace tilereel
