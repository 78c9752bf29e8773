#pragma once
// A product kernel of the user's own, as nvcc compiled it into a library of its own: one function
// that launches it.
#include <filesystem>
#include <string>

#include "app/race/race.h"

namespace tilereel {

struct OwnKernel {
    std::string name;  // that of its file, "multiply.cu": Contender::kernel
    std::string call;  // the launch in the library, "tiled<16><<<...>>>(A, B, C, M, N, K)"
    // M, N and K must be multiples of these; all alike if `square`.
    int rows = 1, columns = 1, depth = 1;
    bool square = false;
    // Starts C = A B on the default stream, and returns the error of CUDA; 0: none.
    using Launch = int(const float* a, const float* b, float* c, int m, int n, int k);
    Launch* launch = nullptr;
};

// Loads what the compiler wrote. It stays loaded. kFailed with the reason.
[[nodiscard]] Result<OwnKernel> open_own_kernel(const std::filesystem::path& library);
// kWrongCall with the sizes that it needs.
[[nodiscard]] Status takes(const OwnKernel& kernel, const ProductSize& size);

}  // namespace tilereel
