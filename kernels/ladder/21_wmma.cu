// 21 wmma: the simplest product by tensor cores
// Idea   32 threads multiply matrices of 16 x 16 by one instruction: BF16 in, sums in
//        FP32. No thread has a row or a column, the warp holds each tile together
// Watch  a warp loads 16 x 16 of A and of B straight from global memory, multiplies
//        them, and keeps its 16 x 16 sums in registers
// Next   22 mma_ldmatrix: tiles in shared memory, and the registers by hand
// Source "CUDA C++ Programming Guide", Warp Matrix Functions; PTX ISA, mma
// [launch]
// built = {TILE = [16, 32, 64]}
// multiples = {M = "TILE", N = "TILE", K = 16}
// takes.TILE = [16, 32, 48, 64, 80]
// takes.why_TILE = "each warp has 16 x 16 of the block's tile"
// compute_capability = "8.0"

// block  TILE x TILE of C, a warp for each 16 x 16 of it:
//            TILE 32    warp 0  warp 1
//                       warp 2  warp 3
// warp   a fragment of A, 16 x 16, one of B, 16 x 16, and the sums, 16 x 16
// lane   8 elements of each. Which ones, only the hardware has to know
#include <cuda_bf16.h>
#include <mma.h>

template <int TILE>
__global__ void wmma(
    const __nv_bfloat16* __restrict__ A,  // M x K
    const __nv_bfloat16* __restrict__ B,  // K x N
    float* __restrict__ C,                // M x N
    int M, int N, int K) {
    using namespace nvcuda::wmma;
    constexpr int EDGE = 16;  // of a fragment
    constexpr int WARP_COLS = TILE / EDGE;  // warps side by side
    const int warp = threadIdx.y;
    // The warp's first row and column of C:
    const int row = blockIdx.y * TILE + warp / WARP_COLS * EDGE;
    const int col = blockIdx.x * TILE + warp % WARP_COLS * EDGE;
    fragment<matrix_a, EDGE, EDGE, EDGE, __nv_bfloat16, row_major> a;  // row, k
    fragment<matrix_b, EDGE, EDGE, EDGE, __nv_bfloat16, row_major> b;  // k, col
    fragment<accumulator, EDGE, EDGE, EDGE, float> sum;                // row, col
    fill_fragment(sum, 0.0f);
    for (int k0 = 0; k0 < K; k0 += EDGE) {
        load_matrix_sync(a, &A[row * K + k0], K);  // rows are K elements apart
        load_matrix_sync(b, &B[k0 * N + col], N);
        mma_sync(sum, a, b, sum);
    }
    store_matrix_sync(&C[row * N + col], sum, N, mem_row_major);
}

template <int TILE>
void launch_wmma(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C,
                 int M, int N, int K) {
    const int EDGE = 16;
    const dim3 grid(N / TILE, M / TILE);
    const dim3 block(32, TILE / EDGE * (TILE / EDGE));
    wmma<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
