// 99 by_rows: each thread keeps its own A
// Idea   a kernel that the ladder does not know
// Watch  that it is listed, recorded and right
// Next   none
// Source "Adding a kernel", README
// [launch]
// built = {TILE = [8, 16]}
// multiples = {K = 2}
// takes = {TILE = [8, 12, 16]}

constexpr int SLICE = 2;  // of A's columns

__host__ __device__ int tiles_over(int extent, int tile) {
    return (extent + tile - 1) / tile;
}

template <int TILE>
__global__ void by_rows(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    __shared__ float row_of_a[TILE][TILE * SLICE];
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    float sum = 0;  // C[row][col]
    for (int k = 0; k < K; ++k) {
        if (row < M) row_of_a[ty][tx] = A[row * K + k];
        __syncthreads();  // written
        if (col < N) sum += row_of_a[ty][tx] * B[k * N + col];
    }
    if (row < M && col < N) C[row * N + col] = sum;
}

template <int TILE>
void launch_by_rows(const float* A, const float* B,
                    float* C, int M, int N, int K) {
    const dim3 grid(tiles_over(N, TILE), tiles_over(M, TILE));
    const dim3 block(TILE, TILE);
    by_rows<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
