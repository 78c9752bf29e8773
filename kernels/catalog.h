#pragma once
// The ladder as data: the name, sizes and launch of each kernel. It depends only on
// instrumentation/base, so that recorders and races can both use it.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/base/wait_functions.h"
#include "kernels/input_type.h"
#include "kernels/kernel_parameters.h"

namespace tilereel {

struct LadderFile;
struct DeclaredShared;
struct VariantRules;

struct LaunchShape {
    unsigned grid_x = 1, grid_y = 1;
    unsigned block_x = 1, block_y = 1;
    std::uint32_t dynamic_shared_bytes = 0;
    std::uint32_t static_shared_bytes = 0;  // static_shared_bytes() of variants.h
    int tile_rows = 0, tile_columns = 0;    // of a block's tile of C
};

struct KernelBarrier {
    int line = 0;  // 1-based, in the kernel's file
    WaitFunction function;
};

struct KernelInfo {
    std::string_view id;                       // file stem: "09_tiled"
    std::string_view title;                    // for people: "09 tiled"
    std::string_view file_name;                // "09_tiled.cu", in kernels/ladder
    std::string_view source;                   // the file's whole text
    std::string_view idea, watch, next, from;  // what its file says; from: "Source"
    std::string_view needs;                    // its preconditions, in words
    bool on_cpu = false;                       // a kernel for the CPU: its blocks have one thread
    // The kernel uses the Tensor Memory Accelerator of compute capability 9.0, with one tensor map
    // for A, one for B and maybe one for C. Its threads synchronise not only at block barriers but
    // also by mbarriers, which count the copied bytes.
    bool boxes = false;
    bool clusters = false;       // its blocks are launched in clusters
    int compute_capability = 0;  // the smallest that it requires; 90: 9.0; 0: any
    // It has instructions that only this compute capability has.
    bool architecture_specific = false;
    bool offsets_of_64_bits = false;         // of elements of A, B and C; else they are int
    InputType inputs = InputType::kFloat32;  // of A and B; C is float32
    // Built-in values, ascending; {0} if the kernel has no PAD. Others: variants.h.
    std::span<const int> tiles, pads;
    std::span<const KernelBarrier> barriers;  // calls of wait functions in its text, from the top
    // The launch, or kWrongCall with a sentence that says which size to use instead.
    std::function<Result<LaunchShape>(const KernelParameters&)> launch_shape;
    // If the block size is set at launch: the bytes of shared memory of a block with this many
    // threads. nullptr for other kernels.
    std::function<std::uint32_t(int threads, int pad)> shared_bytes_of_block = nullptr;
    const LadderFile* file = nullptr;  // the CUDA file as data
    const VariantRules* variant_rules = nullptr;
    const DeclaredShared* shared_rules = nullptr;
};

[[nodiscard]] std::span<const KernelInfo> catalog();
// The kernel with this id ("09_tiled"); nullptr if there is none.
[[nodiscard]] const KernelInfo* find_kernel(std::string_view id);
// Checks everything that must hold before a launch: M, N and K in 1..kLargestExtent, matrices whose
// elements the kernel's offsets count, a TILE and PAD that the kernel can have (variants.h), the
// kernel's preconditions, a grid that CUDA takes. kWrongCall with what to do.
[[nodiscard]] Result<LaunchShape> validate(const KernelInfo& kernel, const KernelParameters& p);

// "9.0" for 90.
[[nodiscard]] inline std::string capability_text(int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

// Whether a GPU of this compute capability runs it; kWrongCall with a sentence.
[[nodiscard]] Status runs_on(const KernelInfo& kernel, int capability);

// TILE as text: "256 x 128" if a block's tile of C is not square, else the number.
[[nodiscard]] std::string tile_size_text(const KernelInfo& kernel, int tile);

}  // namespace tilereel
