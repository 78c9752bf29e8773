#pragma once
// A kernel of the user's own, as nvcc compiled it into a library of its own: one function that
// launches it.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/race/race.h"

namespace tilereel {

// How the values of an array are compared. kExact: byte by byte.
enum class OwnType : std::uint8_t {
    kFloat32 = 0,
    kFloat64 = 1,
    kFloat16 = 2,
    kBfloat16 = 3,
    kExact = 4
};
[[nodiscard]] const char* name_of(OwnType type);  // in the library: "float32"

struct OwnArray {
    std::string name;
    OwnType type = OwnType::kExact;
    std::uint32_t element_bytes = 4;
    bool read = false, written = false;  // by the kernel
    // The shares of the elements that are read and written, where they are less than half; else 1.
    double read_share = 1, written_share = 1;
};

// What a kernel does that is no product: its arrays, whose lengths follow from one number n.
struct OwnWork {
    std::vector<OwnArray> arrays;
    int recorded_n = 1;                                    // n of the program's own launch
    int multiple = 1;                                      // n must be a multiple
    int dimensions = 1;                                    // so many extents of an array are n
    std::span<const std::byte> data{};                     // of WorkData; in the library
    using Elements = long long(int array, long long n);    // 0 or less: it has none
    using Launch = int(void* const* arrays, long long n);  // returns the error of CUDA; 0: none
    Elements* elements = nullptr;
    Launch* launch = nullptr;
};
// Compulsory traffic at n: the bytes of each array that is read, and of each that is written, once.
// Of an array of which the recorded launch used less than half, so much.
[[nodiscard]] double bytes_at(const OwnWork& work, int n);

struct OwnKernel {
    std::string name;  // "multiply.cu", "multiply.cu TILE=16": Contender::kernel
    std::string call;  // the launch in the library, "tiled<16><<<...>>>(A, B, C, M, N, K)"
    // M, N and K must be multiples of these; all alike if `square`.
    int rows = 1, columns = 1, depth = 1;
    bool square = false;
    // Starts C = A B on the default stream, and returns the error of CUDA; 0: none.
    using Launch = int(const float* a, const float* b, float* c, int m, int n, int k);
    Launch* launch = nullptr;
    std::optional<OwnWork> work{};  // of a kernel that is no product, which has no `launch`
};

// Loads what the compiler wrote. It stays loaded. kFailed with the reason.
[[nodiscard]] Result<OwnKernel> open_own_kernel(const std::filesystem::path& library);
// kWrongCall with the sizes that it needs.
[[nodiscard]] Status takes(const OwnKernel& kernel, const ProductSize& size);

}  // namespace tilereel
