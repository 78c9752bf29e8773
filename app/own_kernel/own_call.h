#pragma once
// How a kernel of the user's own is launched at any size, recognised from a recording of its
// program: a product for any M, N and K here, anything else for any n in work_call.h.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/own_kernel/own_variables.h"
#include "app/race/runners/own_kernel.h"
#include "instrumentation/base/result.h"
#include "instrumentation/cuda/text/device_function_text.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// An array of a kernel that is no product.
struct WorkArray {
    OwnArray array;
    std::string cpp_type;        // of its elements: "float"; empty: any, "void*" is converted
    std::string elements;        // their number, an expression in n: "(n + 255) / 256"
    std::uint64_t recorded = 0;  // their number in the program's launch
    // Before and after that launch; null: not known, or not needed.
    std::shared_ptr<const std::vector<std::byte>> first{}, last{};
};
// What a kernel that is no product has besides its launch.
struct WorkCall {
    std::vector<WorkArray> arrays;
    std::int64_t n = 0;  // of the program's launch; 0: not known
    int multiple = 1;    // sizes must be multiples
    int dimensions = 1;  // so many extents are n, or follow from it
};

struct OwnCall {
    // A statement of CUDA with A, B, C (float*) and M, N, K (int) as its variables:
    // "tiled<16><<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K)". With
    // `work`: with n and the arrays by their names.
    std::string statement;
    std::string kernel;                    // "tiled<16>"; empty: the statement is the user's
    std::uint64_t shared_bytes = 0;        // dynamic shared memory of a block
    int rows = 1, columns = 1, depth = 1;  // OwnKernel
    bool square = false;
    std::optional<WorkCall> work{};        // nullopt: a product
    std::vector<OwnVariable> variables{};  // which are filled before the launch
};

// A launch as the user may write it.
inline constexpr const char* kExampleOfCall =
    "multiply<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K)";

// From a launch whose product was recognised. kWrongCall with what is not clear, so that the user
// has to say how it is launched: a parameter without a meaning, a grid that does not cover C in
// equal steps. kFailed: such a kernel cannot race, as its matrices are not of float32.
[[nodiscard]] Result<OwnCall> recognise_call(const Trace& trace);

// The variables of the file that a product's launch reads. Those of integers that are called M, N
// or K, and have that size, follow it.
[[nodiscard]] std::vector<OwnVariable> variables_of_product(const Trace& trace);

// The variables of C++ that the launch is written with: n, or M, N and K.
[[nodiscard]] std::vector<std::string> sizes_of(const OwnCall& call);
// The end of a function's body that launches the kernel and returns a cudaError_t. More than 48 KiB
// of dynamic shared memory must be allowed first: CUDA C++ Programming Guide, "Shared Memory" of
// compute capability 7.x.
[[nodiscard]] std::string launching_text(const OwnCall& call);

// Parts that recognise_work() needs, too.
namespace own_call {
// The device function that is the launch's kernel. kWrongCall if the source does not show it.
[[nodiscard]] Result<program::DeviceFunction> kernel_function(const Trace& trace);
// "(n + 15) / 16"; of 1: "n".
[[nodiscard]] std::string ceiling(const std::string& extent, std::int64_t of);
// "<<<grid, dim3(16, 16), 1024>>>", with what the kernel's text says of dynamic shared memory.
[[nodiscard]] Result<std::string> shape_text(const Trace& trace,
                                             const program::DeviceFunction& kernel,
                                             const std::string& grid, OwnCall& call);
}  // namespace own_call

}  // namespace tilereel
