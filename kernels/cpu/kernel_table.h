#pragma once
// The CPU's kernels, compiled for each instruction set. Plain data without standard headers, for
// the reason given in cpu_cuda.h.

namespace tilereel {

// The launch function of a CUDA file: C(M,N) = A(M,K) B(K,N), by run_cpu_blocks().
using CpuLaunch = void (*)(const float* A, const float* B, float* C, int M, int N, int K);

struct CpuRow {
    const char* id;  // "cpu_tiled"
    int tile, pad;
    CpuLaunch launch;
};
struct CpuTable {
    const CpuRow* rows;
    int count;
};

CpuTable cpu_table_baseline();
CpuTable cpu_table_avx2();    // x86-64 only: AVX2, FMA
CpuTable cpu_table_avx512();  // x86-64 only: those, AVX-512 F, DQ, VL

// Runs the blocks of a launch, 0 <= x < across and 0 <= y < down, on the threads of
// CpuKernel::run().
using CpuBlock = void(const void* arguments, int x, int y);
void run_cpu_blocks(unsigned across, unsigned down, CpuBlock* block, const void* arguments);

}  // namespace tilereel
