#pragma once
// The ladder as data: what each kernel is called, takes and launches. Includes nothing of ours but
// the base; knows nothing of recording, so any recorder or race can read it.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/result.h"
#include "instrumentation/base/wait_functions.h"
#include "kernels/kernel_parameters.h"

namespace tilereel {

struct PlainKernel;
struct SharedRules;
struct VariantRules;

struct LaunchShape {
    unsigned grid_x = 1, grid_y = 1;
    unsigned block_x = 1, block_y = 1;
    std::uint32_t dynamic_shared_bytes = 0;
    std::uint32_t static_shared_bytes = 0;  // where variants.h knows
    int tile_columns = 0;                   // of a block's tile of C; 0: as many as it has rows
};

struct KernelBarrier {
    int line = 0;  // 1-based, in the kernel's file
    WaitFunction function;
};

struct KernelInfo {
    std::string_view id;                       // file stem: "09_tiled"
    std::string_view title;                    // as spoken: "09 tiled"
    std::string_view file_name;                // "09_tiled.cu", in kernels/plain
    std::string_view source;                   // the file's whole text
    std::string_view idea, watch, next, from;  // its header, one paragraph each
    std::string_view needs;                    // likewise: its preconditions
    bool on_cpu = false;  // written for the CPU: recorded as blocks of one thread
    // The kernel uses the copy engine of compute capability 9.0, with one tensor map for A and one
    // for B. Barriers in shared memory count the bytes that arrive, so threads wait for each other
    // not only at the block's barrier.
    bool boxes = false;
    int compute_capability = 0;  // the least that its header asks for; 90: 9.0; 0: any
    // Built in, ascending; {0} if the kernel has no PAD. variants.h: which others it can have.
    std::span<const int> tiles, pads;
    std::span<const KernelBarrier> barriers;  // the calls in its text, from the top
    // The launch, or kWrongCall with a sentence that says which size to use instead.
    std::function<Result<LaunchShape>(const KernelParameters&)> launch_shape;
    // Where the launch chooses the size of a block: the bytes of shared memory that a block of so
    // many threads takes; nullptr for the other kernels.
    std::function<std::uint32_t(int threads, int pad)> shared_bytes_of_block = nullptr;
    const PlainKernel* plain = nullptr;           // the plain CUDA file as data
    const VariantRules* variant_rules = nullptr;  // what its header says of TILE and PAD
    const SharedRules* shared_rules = nullptr;    // and of its dynamic shared memory
};

[[nodiscard]] std::span<const KernelInfo> catalog();
// Accepts the id ("09_tiled"); nullptr if there is none.
[[nodiscard]] const KernelInfo* find_kernel(std::string_view id);
// Everything that must hold before a launch: M, N, K in 1..kLargestExtent, TILE and PAD such as the
// kernel can have (variants.h), the kernel's own preconditions. kWrongCall with what to do.
[[nodiscard]] Result<LaunchShape> validate(const KernelInfo& kernel, const KernelParameters& p);

// "9.0" for 90.
[[nodiscard]] inline std::string capability_text(int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

// TILE as text: "256 x 128" if a block's tile of C is no square, else the number.
[[nodiscard]] std::string tile_words(const KernelInfo& kernel, int tile);

}  // namespace tilereel
