// 11 tiled_dynamic: the tile's edge is set at launch
// Idea   one binary for every TILE: the edge is a parameter, which
//        lies in constant memory, and the launch sets how much is
//        shared
// Watch  the addresses are those of 09 tiled; the choice of the edge
//        decides the occupancy
// Next   12 outer_product: more work a thread
// Source "Lab 6 - Shared Memory" (matrix multiply), exercise 2
// [launch]
// built = {TILE = [2, 4, 8, 16, 32], PAD = [0, 1, 2]}
// multiples = {M = "TILE", N = "TILE", K = "TILE"}
// shared = [["As", "TILE", "TILE"], ["Bs", "TILE", "TILE"]]

template <int PAD>
__global__ void tiled_dynamic(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K, int edge) {  // edge: TILE
    const int pitch = edge + PAD;  // row to row
    extern __shared__ float pool[];   // sized at launch
    float* As = pool;                 // row, k
    float* Bs = pool + edge * pitch;  // k, col
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * edge + ty;  // of C
    const int col = blockIdx.x * edge + tx;  // of C
    float sum = 0;  // C[row][col]
    for (int k0 = 0; k0 < K; k0 += edge) {
        As[ty * pitch + tx] = A[row * K + k0 + tx];
        Bs[ty * pitch + tx] = B[(k0 + ty) * N + col];
        __syncthreads();  // tiles are written
        for (int k = 0; k < edge; ++k)
            sum += As[ty * pitch + k] * Bs[k * pitch + tx];
        __syncthreads();  // tiles are read
    }
    C[row * N + col] = sum;
}

template <int TILE, int PAD>
void launch_tiled_dynamic(const float* A, const float* B,
                          float* C, int M, int N, int K) {
    const dim3 grid(N / TILE, M / TILE);
    const dim3 block(TILE, TILE);
    const int bytes = 2 * TILE * (TILE + PAD) * sizeof(float);
    if (bytes > 48 * 1024)  // more than the default
        cudaFuncSetAttribute(
            tiled_dynamic<PAD>,
            cudaFuncAttributeMaxDynamicSharedMemorySize,
            bytes);
    tiled_dynamic<PAD><<<grid, block, bytes>>>(
        A, B, C, M, N, K, TILE);
}
