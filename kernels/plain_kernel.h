#pragma once
// The plain CUDA files (kernels/plain) as data, but for 20_champion. CMake writes the table from
// their text (plain_kernels.cmake).
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tilereel {

// A static shared array, as the kernel declares it.
struct DeclaredArray {
    std::string_view name;
    std::vector<std::uint32_t> extents;
};

struct PlainKernel {
    std::string_view stem;             // "09_tiled"
    std::span<const int> tiles, pads;  // built in, ascending
    bool takes_tile = false;           // its launch function is a template of TILE
    bool takes_pad = false;            // likewise of PAD
    bool has_fixed_block = true;  // false: of TILE, and the kernel is not: the launch chooses it
    // The file's own launch function: with TILE and PAD as numbers, and with launch_capture.h in
    // the place of CUDA.
    void (*launch)(int tile, int pad, const float* a, const float* b, float* c, int m, int n,
                   int k) = nullptr;
    // Bytes of the kernel's static shared arrays.
    std::int64_t (*shared_bytes)(std::int64_t tile, std::int64_t pad) = nullptr;
    std::vector<DeclaredArray> (*shared_arrays)(std::int64_t tile, std::int64_t pad) = nullptr;
    std::string_view kernel;  // its name and arguments: "tiled<TILE, PAD>"
};

// In the ladder's order: the CPU's kernels, then the others by their numbers.
[[nodiscard]] std::span<const PlainKernel> plain_kernels();

// What a launch function asked for.
struct CapturedLaunch {
    unsigned grid_x = 0, grid_y = 0, grid_z = 0;
    unsigned block_x = 0, block_y = 0, block_z = 0;
    std::uint64_t dynamic_shared_bytes = 0;
    int launches = 0;
    std::vector<std::uint64_t> arguments;  // of the kernel, the first bytes of each
};
struct LaunchMatrices {
    const float *a = nullptr, *b = nullptr;
    float* c = nullptr;
};
// Calls the launch function of a kernel. Sizes and TILE must be such as the file takes. The
// matrices are only handed on.
[[nodiscard]] CapturedLaunch capture_launch(const PlainKernel& kernel, int tile, int pad, int m,
                                            int n, int k, const LaunchMatrices& matrices = {});

}  // namespace tilereel
