#pragma once
// The CPU's kernels as compiled for each instruction set. Plain data and no standard header, for
// the reason given in dialect/cpu.h.

namespace tilereel {

struct CpuProduct {
    const float* a;  // M x K
    const float* b;  // K x N
    float* c;        // M x N
    int m, n, k;
};
using CpuBlock = void (*)(const CpuProduct& product, int block_x, int block_y);

// Of the n-th row of TILEREEL_CPU_LADDER; nullptr if it has no such instantiation.
CpuBlock cpu_block_baseline(int row, int tile, int pad);
CpuBlock cpu_block_avx2(int row, int tile, int pad);    // x86-64 only: AVX2, FMA
CpuBlock cpu_block_avx512(int row, int tile, int pad);  // x86-64 only: those, AVX-512 F, DQ, VL

}  // namespace tilereel
