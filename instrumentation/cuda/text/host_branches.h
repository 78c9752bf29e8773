#pragma once
// __CUDA_ARCH__ in a __host__ __device__ function. nvcc compiles such a function twice: for the
// GPU, where the macro is defined, and for the host, where it is not (CUDA C++ Programming Guide,
// "__CUDA_ARCH__"). g++ compiles it once. So a condition that chooses between statements becomes an
// `if` that asks whether a kernel calls:
//
//   #ifdef __CUDA_ARCH__            if (::tilereel::runtime::in_kernel()) {
//       return __expf(x);               return __expf(x);
//   #else                           } else {
//       return expf(x);                 return expf(x);
//   #endif                          }
//
// That cannot be done where a branch declares what stands behind the condition uses, or where the
// condition is inside a statement. Then a kernel takes the host's branch, and a warning says so.
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/cuda/text/device_function_text.h"

namespace tilereel::program {

// A replacement of a part of a text.
struct TextChange {
    std::size_t at = 0, length = 0;
    std::string text;
};

// `mask`: masked_text() of a file. Line numbers stay the same. `functions`: those of the text.
void find_host_branches(std::string_view mask, const std::vector<DeviceFunction>& functions,
                        std::vector<TextChange>& changes);

}  // namespace tilereel::program
