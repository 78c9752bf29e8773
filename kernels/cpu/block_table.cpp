// The CPU's kernels for one instruction set. Compiled once for each, with TILEREEL_CPU_SET naming
// it: baseline, avx2 or avx512.
#define TILEREEL_JOINED(a, b) a##b
#define TILEREEL_JOIN(a, b) TILEREEL_JOINED(a, b)
#define TILEREEL_BUILD_CPU
#define TILEREEL_BUILD_NAMESPACE TILEREEL_JOIN(cpu_, TILEREEL_CPU_SET)
#include "kernels/cpu/block_table.h"

#include "ladder_cpu_kernels.h"
#include "kernels/ladder.h"

namespace tilereel {
namespace {

template <auto kKernel>
void run_block(const CpuProduct& product, int block_x, int block_y) {
    blockIdx = {block_x, block_y};
    kKernel(product.a, product.b, product.c, {product.m, product.n, product.k});
}

}  // namespace

#define VARIANT(kernel, tile_, pad_) \
    if (tile == (tile_) && pad == (pad_)) return run_block<kernel>;
#define ROW(stem, function, variants, launch) \
    if (row-- == 0) {                         \
        variants(VARIANT, function)           \
    }

CpuBlock TILEREEL_JOIN(cpu_block_, TILEREEL_CPU_SET)(int row, int tile, int pad) {
    TILEREEL_CPU_LADDER(ROW)
    return nullptr;
}

}  // namespace tilereel
