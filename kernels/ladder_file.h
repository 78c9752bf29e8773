#pragma once
// The CUDA files (kernels/ladder) as data. The build writes the table from their text
// (kernels/writer).
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/input_type.h"

namespace tilereel {

// A static shared array that a kernel declares.
struct DeclaredArray {
    std::string_view name;
    InputType type = InputType::kFloat32;
    std::vector<std::uint32_t> extents;
};

struct LadderFile {
    std::string_view stem;             // "09_tiled"
    std::span<const int> tiles, pads;  // built in, ascending
    // Whether its launch function is a template of TILE (of PAD) that accepts any value. False if
    // it needs constants: then only the built-in values are possible.
    bool takes_tile = false, takes_pad = false;
    // False: the launch function has the parameter TILE but the kernel has not, so that the block
    // size is set at launch.
    bool has_fixed_block = true;
    InputType inputs = InputType::kFloat32;  // of A and B
    // The file's launch function, with TILE and PAD as numbers and launch_capture.h instead of
    // CUDA.
    void (*launch)(int tile, int pad, const void* a, const void* b, float* c, int m, int n,
                   int k) = nullptr;
    // Total size of the kernel's static shared arrays.
    std::int64_t (*shared_bytes)(std::int64_t tile, std::int64_t pad) = nullptr;
    std::vector<DeclaredArray> (*shared_arrays)(std::int64_t tile, std::int64_t pad) = nullptr;
    // Their names and template arguments: "tiled<TILE, PAD>", "launch_tiled<TILE, PAD>".
    std::string_view kernel, launch_function;
};

// In the ladder's order: the CPU's kernels, then the others by number.
[[nodiscard]] std::span<const LadderFile> ladder_files();

// A tensor map that a launch function encoded for a matrix.
struct CapturedMap {
    const void* matrix = nullptr;
    InputType type = InputType::kFloat32;
    int rows = 0, columns = 0;
    int box_rows = 0, box_columns = 0;
    int swizzle_bytes = 0;  // 32, 64 or 128; 0: no swizzle
};
struct CapturedArgument {
    std::uint64_t bytes = 0;
    int map = -1;  // index in CapturedLaunch::maps; negative: the argument is `bytes`
};
// The launch that a launch function made.
struct CapturedLaunch {
    unsigned grid_x = 0, grid_y = 0, grid_z = 0;
    unsigned block_x = 0, block_y = 0, block_z = 0;
    std::uint64_t dynamic_shared_bytes = 0;
    int launches = 0;
    std::vector<CapturedArgument> arguments;  // of the kernel
    std::vector<CapturedMap> maps;            // in the order of encoding
};
struct LaunchMatrices {
    const void *a = nullptr, *b = nullptr;  // of LadderFile::inputs
    float* c = nullptr;
};
// Calls the launch function of a kernel. The file must take these sizes and TILE. The matrices are
// not accessed.
[[nodiscard]] CapturedLaunch capture_launch(const LadderFile& kernel, int tile, int pad, int m,
                                            int n, int k, const LaunchMatrices& matrices = {});

}  // namespace tilereel
