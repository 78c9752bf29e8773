// 16 vectorized: 16 bytes an access
// Idea   move 4 floats by one instruction; for that
//        A's tile is stored transposed, As[k][row]
// Watch  16-byte requests go by groups of lanes.
//        As[k][row] = ... has two rows of k meet in
//        each bank; PAD 4 separates them
// Next   17 swizzled does so without padding
// Source "CUDA C++ Programming Guide", Device Memory
//        Accesses, Size and Alignment Requirement
// Needs  M, N multiples of TILE, K of 8; TILE 128: K
//        of 16
// Takes  TILE 4, 8, 16, 32, 64 or 128: its threads
//        share out each tile evenly; PAD of 4: each
//        row begins at a multiple of 16 bytes
// Built  TILE 8, 16, 32, 64, 128; PAD 0, 4

// block  TILE x TILE of C, EDGE x EDGE threads
// warp   at TILE 128: 2 rows of 16 threads
// lane   T x T elements, in pieces of 4 x 4 that are
//        read by 16 bytes. TILE 16, EDGE 4:
//            0    1    2    3     tx
//        0   .... .... #### ....  the piece of
//            .... .... #### ....  thread (0, 2);
//            .... .... #### ....  at TILE 128 each
//            .... .... #### ....  thread has 2 x 2
//        1   .... .... .... ....  of them, 64 apart
//        ty
// At 4096 on an H100, TILE 128: 40,200 GFLOPS, with
// PAD 4 41,300; 15 register_tile makes 31,600.
template <int TILE, int PAD>
__global__ void __launch_bounds__(256, 2) vectorized(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int EDGE = TILE / T;  // threads
    constexpr int BK = TILE < 128 ? 8 : 16;  // depth
    alignas(16) __shared__ float As[BK][TILE + PAD];
    alignas(16) __shared__ float Bs[BK][TILE];
    const int tx = threadIdx.x;  // 0..EDGE-1
    const int ty = threadIdx.y;  // 0..EDGE-1
    const int row = blockIdx.y * TILE;  // 1st, of C
    const int col = blockIdx.x * TILE;
    alignas(16) float sum[T][T] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll 2
        for (int n = 0; n < TILE * BK / 4;
             n += EDGE * EDGE) {
            const int i = n + ty * EDGE + tx;
            // 2 lanes take 8 k of a row, a sector
            const int r = i / 2 % TILE;
            const int q = i / 2 / TILE * 2 + i % 2;
            const float* in_a = A + ((row + r) * K + k0);
            const float4 a = ((const float4*)in_a)[q];
            As[4 * q][r] = a.x;
            As[4 * q + 1][r] = a.y;
            As[4 * q + 2][r] = a.z;
            As[4 * q + 3][r] = a.w;
            const int k = i / (TILE / 4);
            const int x = i % (TILE / 4);
            const float* b = B + ((k0 + k) * N + col);
            ((float4*)Bs[k])[x] = ((const float4*)b)[x];
        }
        __syncthreads();  // tiles are written
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            alignas(16) float a[T], b[T];
            for (int p = 0; p < T / 4; ++p) {
                ((float4*)a)[p] =
                    ((float4*)As[k])[ty + p * EDGE];
                ((float4*)b)[p] =
                    ((float4*)Bs[k])[tx + p * EDGE];
            }
            for (int r = 0; r < T; ++r)
                for (int c = 0; c < T; ++c)
                    sum[r][c] += a[r] * b[c];
        }
        __syncthreads();  // tiles are read
    }
    for (int r = 0; r < T; ++r) {
        const int y = 4 * (ty + r / 4 * EDGE) + r % 4;
        float* c = C + ((row + y) * N + col);
        for (int p = 0; p < T / 4; ++p)
            ((float4*)c)[tx + p * EDGE] =
                ((float4*)sum[r])[p];
    }
}

template <int TILE, int PAD>
void launch_vectorized(const float* A, const float* B,
                       float* C, int M, int N, int K) {
    const int edge = TILE / (TILE < 64 ? 4 : 8);
    const dim3 grid(N / TILE, M / TILE);
    const dim3 block(edge, edge);
    vectorized<TILE, PAD><<<grid, block>>>(A, B, C, M, N, K);
}
