// The kernels of the ladder as one writes them in CUDA, without the dialect: what the native build
// of each is compared with, instruction for instruction. A kernel has the name and the template
// parameters of its twin.

struct Shape {
    int m, n, k;
};

template <int TILE>
__global__ void naive_by_column(const float* __restrict__ A, const float* __restrict__ B,
                                float* __restrict__ C, Shape s) {
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.x * TILE + tx;
    const int col = blockIdx.y * TILE + ty;
    if (row < s.m && col < s.n) {
        float sum = 0.0f;
        for (int k = 0; k < s.k; ++k) sum += A[row * s.k + k] * B[k * s.n + col];
        C[row * s.n + col] = sum;
    }
}

template <int TILE>
__global__ void naive(const float* __restrict__ A, const float* __restrict__ B,
                      float* __restrict__ C, Shape s) {
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    if (row < s.m && col < s.n) {
        float sum = 0.0f;
        for (int k = 0; k < s.k; ++k) sum += A[row * s.k + k] * B[k * s.n + col];
        C[row * s.n + col] = sum;
    }
}

template <int TILE, int PAD>
__global__ void tiled_b_transposed(const float* __restrict__ A, const float* __restrict__ B,
                                   float* __restrict__ C, Shape s) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE + PAD];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        As[ty][tx] = A[row * s.k + k0 + tx];
        Bs[tx][ty] = B[(k0 + ty) * s.n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[tx][k];
        __syncthreads();
    }
    C[row * s.n + col] = sum;
}

template <int TILE, int PAD>
__global__ void tiled(const float* __restrict__ A, const float* __restrict__ B,
                      float* __restrict__ C, Shape s) {
    __shared__ float As[TILE][TILE + PAD];
    __shared__ float Bs[TILE][TILE + PAD];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        As[ty][tx] = A[row * s.k + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * s.n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * s.n + col] = sum;
}

#define INSTANTIATE(...) \
    template __global__ void __VA_ARGS__(const float*, const float*, float*, Shape);
#define FOR_TILE(tile)                       \
    INSTANTIATE(naive_by_column<tile>)       \
    INSTANTIATE(naive<tile>)                 \
    INSTANTIATE(tiled_b_transposed<tile, 0>) \
    INSTANTIATE(tiled_b_transposed<tile, 1>) \
    INSTANTIATE(tiled_b_transposed<tile, 2>) \
    INSTANTIATE(tiled<tile, 0>)              \
    INSTANTIATE(tiled<tile, 1>)              \
    INSTANTIATE(tiled<tile, 2>)
FOR_TILE(2)
FOR_TILE(4)
FOR_TILE(8)
FOR_TILE(16)
FOR_TILE(32)
