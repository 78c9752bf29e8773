// The kernels of the ladder as one writes them in CUDA, without the dialect: what the native build
// of each is compared with, instruction for instruction. A kernel has the name and the template
// parameters of its twin.

struct Shape {
    int m, n, k;
};

template <int>
__global__ void cpu_naive(const float* __restrict__ A, const float* __restrict__ B,
                          float* __restrict__ C, Shape s) {
    for (int i = 0; i < s.m; ++i)
        for (int j = 0; j < s.n; ++j) {
            float sum = 0.0f;
            for (int k = 0; k < s.k; ++k) sum += A[i * s.k + k] * B[k * s.n + j];
            C[i * s.n + j] = sum;
        }
}

template <int ROWS, int COLS, int TILE>
__device__ __forceinline__ void strip(const float* __restrict__ A, const float (*Bs)[TILE],
                                      float* __restrict__ C, int n, int lda, int rows, int cols,
                                      int depth, int x, bool first) {
    float sum[ROWS][COLS];
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLS; ++c) sum[r][c] = 0.0f;
    if (!first)
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < cols; ++c) sum[r][c] = C[r * n + c];
    for (int k = 0; k < depth; ++k)
        for (int r = 0; r < rows; ++r) {
            const float a = A[r * lda + k];
            for (int c = 0; c < cols; ++c) sum[r][c] += a * Bs[k][x + c];
        }
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) C[r * n + c] = sum[r][c];
}

__device__ __forceinline__ int least(int a, int b) { return a < b ? a : b; }

template <int TILE>
__global__ void cpu_tiled(const float* __restrict__ A, const float* __restrict__ B,
                          float* __restrict__ C, Shape s) {
    constexpr int ROWS = 4, COLS = TILE < 32 ? TILE : 32;
    __shared__ float Bs[TILE][TILE];
    const int row = blockIdx.y * TILE;
    const int col = blockIdx.x * TILE;
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        const int m = least(TILE, s.m - row);
        const int n = least(TILE, s.n - col);
        const int depth = least(TILE, s.k - k0);
        for (int r = 0; r < depth; ++r)
            for (int c = 0; c < n; ++c) Bs[r][c] = B[(k0 + r) * s.n + col + c];
        for (int y = row; y < row + m; y += ROWS)
            for (int x = 0; x < n; x += COLS) {
                const float* const a = A + (y * s.k + k0);
                float* const c = C + (y * s.n + col + x);
                const int rows = least(ROWS, row + m - y);
                const int cols = least(COLS, n - x);
                if (rows == ROWS && cols == COLS)
                    strip<ROWS, COLS>(a, Bs, c, s.n, s.k, ROWS, COLS, depth, x, k0 == 0);
                else
                    strip<ROWS, COLS>(a, Bs, c, s.n, s.k, rows, cols, depth, x, k0 == 0);
            }
    }
}

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

template <int TILE>
__global__ void guide_simple(const float* __restrict__ A, const float* __restrict__ B,
                             float* __restrict__ C, Shape s) {
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int k = 0; k < TILE; ++k) sum += A[row * TILE + k] * B[k * s.n + col];
    C[row * s.n + col] = sum;
}

template <int TILE, int PAD>
__global__ void guide_a_shared(const float* __restrict__ A, const float* __restrict__ B,
                               float* __restrict__ C, Shape s) {
    __shared__ float As[TILE][TILE + PAD];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    As[ty][tx] = A[row * TILE + tx];
    __syncwarp();
    for (int k = 0; k < TILE; ++k) sum += As[ty][k] * B[k * s.n + col];
    C[row * s.n + col] = sum;
}

template <int TILE, int PAD>
__global__ void guide_ab_shared(const float* __restrict__ A, const float* __restrict__ B,
                                float* __restrict__ C, Shape s) {
    __shared__ float As[TILE][TILE + PAD];
    __shared__ float Bs[TILE][TILE + PAD];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    As[ty][tx] = A[row * TILE + tx];
    Bs[ty][tx] = B[ty * s.n + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
    C[row * s.n + col] = sum;
}

__device__ __forceinline__ float* dynamic_memory() {
    extern __shared__ __align__(16) unsigned char memory[];
    return reinterpret_cast<float*>(memory);
}

template <int PAD>
__global__ void single_block(const float* __restrict__ A, const float* __restrict__ B,
                             float* __restrict__ C, Shape s) {
    float* As = dynamic_memory();
    float* Bs = As + s.m * (s.k + PAD);
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int a = y * (s.k + PAD);
    const int pitch = s.n + PAD;
    if (x < s.k) As[a + x] = A[y * s.k + x];
    if (y < s.k) Bs[y * pitch + x] = B[y * s.n + x];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < s.k; ++k) sum += As[a + k] * Bs[k * pitch + x];
    C[y * s.n + x] = sum;
}

template <int TILE, int PAD>
__global__ void tiled_b_uncoalesced(const float* __restrict__ A, const float* __restrict__ B,
                                    float* __restrict__ C, Shape s) {
    __shared__ float As[TILE][TILE + PAD];
    __shared__ float Bs[TILE][TILE + PAD];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col0 = blockIdx.x * TILE;
    float sum = 0.0f;
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        As[ty][tx] = A[row * s.k + k0 + tx];
        Bs[tx][ty] = B[(k0 + tx) * s.n + col0 + ty];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * s.n + col0 + tx] = sum;
}

template <int TILE, int PAD>
__global__ void tiled_any_size(const float* __restrict__ A, const float* __restrict__ B,
                               float* __restrict__ C, Shape s) {
    __shared__ float As[TILE][TILE + PAD];
    __shared__ float Bs[TILE][TILE + PAD];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        const int ak = k0 + tx, bk = k0 + ty;
        float a = 0.0f, b = 0.0f;
        if (row < s.m && ak < s.k) a = A[row * s.k + ak];
        if (bk < s.k && col < s.n) b = B[bk * s.n + col];
        As[ty][tx] = a;
        Bs[ty][tx] = b;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < s.m && col < s.n) C[row * s.n + col] = sum;
}

static __constant__ int block_edge;

template <int PAD>
__global__ void tiled_dynamic(const float* __restrict__ A, const float* __restrict__ B,
                              float* __restrict__ C, Shape s) {
    const int edge = block_edge;
    const int pitch = edge + PAD;
    float* As = dynamic_memory();
    float* Bs = As + edge * (edge + PAD);
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * edge + ty;
    const int col = blockIdx.x * edge + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < s.k; k0 += edge) {
        As[ty * pitch + tx] = A[row * s.k + k0 + tx];
        Bs[ty * pitch + tx] = B[(k0 + ty) * s.n + col];
        __syncthreads();
        for (int k = 0; k < edge; ++k) sum += As[ty * pitch + k] * Bs[k * pitch + tx];
        __syncthreads();
    }
    C[row * s.n + col] = sum;
}

template <int TILE, int PAD>
__global__ void outer_product(const float* __restrict__ A, const float* __restrict__ B,
                              float* __restrict__ C, Shape s) {
    __shared__ float As[TILE][TILE + PAD];
    const int i = threadIdx.x;
    const int x = i % TILE, y = i / TILE;
    const int row = blockIdx.y * TILE;
    const int col = blockIdx.x * 64 + i;
    float sum[TILE];
    for (int r = 0; r < TILE; ++r) sum[r] = 0.0f;
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        for (int r = y; r < y + TILE; r += 4) As[r][x] = A[(row + r) * s.k + k0 + x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            const float b = B[(k0 + k) * s.n + col];
            for (int r = 0; r < TILE; ++r) sum[r] += As[r][k] * b;
        }
        __syncthreads();
    }
    for (int r = 0; r < TILE; ++r) C[(row + r) * s.n + col] = sum[r];
}

template <int TILE, int PAD>
__global__ void outer_product_unrolled(const float* __restrict__ A, const float* __restrict__ B,
                                       float* __restrict__ C, Shape s) {
    __shared__ float As[TILE][TILE + PAD];
    const int i = threadIdx.x;
    const int x = i % TILE, y = i / TILE;
    const int row = blockIdx.y * TILE;
    const int col = blockIdx.x * 64 + i;
    float sum[TILE];
    for (int r = 0; r < TILE; ++r) sum[r] = 0.0f;
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        for (int r = y; r < y + TILE; r += 4) As[r][x] = A[(row + r) * s.k + k0 + x];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) {
            const float b = B[(k0 + k) * s.n + col];
            for (int r = 0; r < TILE; ++r) sum[r] += As[r][k] * b;
        }
        __syncthreads();
    }
    for (int r = 0; r < TILE; ++r) C[(row + r) * s.n + col] = sum[r];
}

template <int TILE, int PAD>
__global__ void outer_product_prefetch(const float* __restrict__ A, const float* __restrict__ B,
                                       float* __restrict__ C, Shape s) {
    __shared__ float As[2][TILE][TILE + PAD];
    const int i = threadIdx.x;
    const int x = i % TILE, y = i / TILE;
    const int row = blockIdx.y * TILE;
    const int col = blockIdx.x * 64 + i;
    float sum[TILE];
    for (int r = 0; r < TILE; ++r) sum[r] = 0.0f;
    float(*now)[TILE + PAD] = As[0];
    float(*next)[TILE + PAD] = As[1];
    for (int r = y; r < y + TILE; r += 4) now[r][x] = A[(row + r) * s.k + x];
    __syncthreads();
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        const int k1 = k0 + TILE;
        if (k1 < s.k)
            for (int r = y; r < y + TILE; r += 4) next[r][x] = A[(row + r) * s.k + k1 + x];
#pragma unroll
        for (int k = 0; k < TILE; ++k) {
            const float b = B[(k0 + k) * s.n + col];
            for (int r = 0; r < TILE; ++r) sum[r] += now[r][k] * b;
        }
        __syncthreads();
        float(*const used)[TILE + PAD] = now;
        now = next;
        next = used;
    }
    for (int r = 0; r < TILE; ++r) C[(row + r) * s.n + col] = sum[r];
}

// A cast as a function: around a call nvcc puts the same instructions in another order.
template <class V, class T>
__device__ __forceinline__ V* cast(T* elements) {
    return reinterpret_cast<V*>(elements);
}

template <int TILE>
__global__ void __launch_bounds__(256, 2)
    register_tile(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                  Shape s) {
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int EDGE = TILE / T;
    constexpr int BK = TILE < 128 ? 8 : 16;
    __shared__ float As[TILE][BK];
    __shared__ float Bs[BK][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE;
    const int col = blockIdx.x * TILE;
    float sum[T][T];
    for (int r = 0; r < T; ++r)
        for (int c = 0; c < T; ++c) sum[r][c] = 0.0f;
    for (int k0 = 0; k0 < s.k; k0 += BK) {
#pragma unroll 4
        for (int n = 0; n < TILE * BK; n += EDGE * EDGE) {
            const int i = n + ty * EDGE + tx;
            const int r = i / BK, k = i % BK;
            As[r][k] = A[(row + r) * s.k + k0 + k];
            const int y = i / TILE, x = i % TILE;
            Bs[y][x] = B[(k0 + y) * s.n + col + x];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            float a[T], b[T];
            for (int i = 0; i < T; ++i) {
                a[i] = As[ty + i * EDGE][k];
                b[i] = Bs[k][tx + i * EDGE];
            }
            for (int r = 0; r < T; ++r)
                for (int c = 0; c < T; ++c) sum[r][c] += a[r] * b[c];
        }
        __syncthreads();
    }
    for (int r = 0; r < T; ++r)
        for (int c = 0; c < T; ++c)
            C[(row + ty + r * EDGE) * s.n + col + tx + c * EDGE] = sum[r][c];
}

template <int TILE, int PAD>
__global__ void __launch_bounds__(256, 2)
    vectorized(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
               Shape s) {
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int EDGE = TILE / T;
    constexpr int BK = TILE < 128 ? 8 : 16;
    alignas(16) __shared__ float As[BK][TILE + PAD];
    alignas(16) __shared__ float Bs[BK][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE;
    const int col = blockIdx.x * TILE;
    alignas(16) float sum[T][T];
    for (int r = 0; r < T; ++r)
        for (int c = 0; c < T; ++c) sum[r][c] = 0.0f;
    for (int k0 = 0; k0 < s.k; k0 += BK) {
#pragma unroll 2
        for (int n = 0; n < TILE * BK / 4; n += EDGE * EDGE) {
            const int i = n + ty * EDGE + tx;
            const int r = i / 2 % TILE;
            const int q = i / 2 / TILE * 2 + i % 2;
            const float4 a = cast<const float4>(A + ((row + r) * s.k + k0))[q];
            As[4 * q][r] = a.x;
            As[4 * q + 1][r] = a.y;
            As[4 * q + 2][r] = a.z;
            As[4 * q + 3][r] = a.w;
            const int k = i / (TILE / 4);
            const int x = i % (TILE / 4);
            cast<float4>(Bs[k])[x] = cast<const float4>(B + ((k0 + k) * s.n + col))[x];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            alignas(16) float a[T], b[T];
            for (int p = 0; p < T / 4; ++p) {
                cast<float4>(a)[p] = cast<float4>(As[k])[ty + p * EDGE];
                cast<float4>(b)[p] = cast<float4>(Bs[k])[tx + p * EDGE];
            }
            for (int r = 0; r < T; ++r)
                for (int c = 0; c < T; ++c) sum[r][c] += a[r] * b[c];
        }
        __syncthreads();
    }
    for (int r = 0; r < T; ++r) {
        const int y = 4 * (ty + r / 4 * EDGE) + r % 4;
        for (int p = 0; p < T / 4; ++p)
            cast<float4>(C + ((row + y) * s.n + col))[tx + p * EDGE] = cast<float4>(sum[r])[p];
    }
}

template <int TILE>
__global__ void __launch_bounds__(256)
    swizzled(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
             Shape s) {
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int EDGE = TILE / T;
    constexpr int BK = TILE < 128 ? 8 : 16;
    constexpr int HALF = TILE < 32 ? TILE / 2 : 16;
    alignas(16) __shared__ float As[BK][TILE];
    alignas(16) __shared__ float Bs[BK][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE;
    const int col = blockIdx.x * TILE;
    alignas(16) float sum[T][T];
    for (int r = 0; r < T; ++r)
        for (int c = 0; c < T; ++c) sum[r][c] = 0.0f;
    for (int k0 = 0; k0 < s.k; k0 += BK) {
#pragma unroll 2
        for (int n = 0; n < TILE * BK / 4; n += EDGE * EDGE) {
            const int i = n + ty * EDGE + tx;
            const int r = i / 2 % TILE;
            const int q = i / 2 / TILE * 2 + i % 2;
            const float4 a = cast<const float4>(A + ((row + r) * s.k + k0))[q];
            const int y = r ^ i % 2 * HALF;
            As[4 * q][y] = a.x;
            As[4 * q + 1][y] = a.y;
            As[4 * q + 2][y] = a.z;
            As[4 * q + 3][y] = a.w;
            const int k = i / (TILE / 4);
            const int x = i % (TILE / 4);
            cast<float4>(Bs[k])[x] = cast<const float4>(B + ((k0 + k) * s.n + col))[x];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const int swap = k / 4 % 2 * HALF / 4;
            alignas(16) float a[T], b[T];
            for (int p = 0; p < T / 4; ++p) {
                const int y = (ty ^ swap) + p * EDGE;
                cast<float4>(a)[p] = cast<float4>(As[k])[y];
                cast<float4>(b)[p] = cast<float4>(Bs[k])[tx + p * EDGE];
            }
            for (int r = 0; r < T; ++r)
                for (int c = 0; c < T; ++c) sum[r][c] += a[r] * b[c];
        }
        __syncthreads();
    }
    for (int r = 0; r < T; ++r) {
        const int y = 4 * (ty + r / 4 * EDGE) + r % 4;
        for (int p = 0; p < T / 4; ++p)
            cast<float4>(C + ((row + y) * s.n + col))[tx + p * EDGE] = cast<float4>(sum[r])[p];
    }
}

template <int TILE>
__global__ void __launch_bounds__(256, 2)
    warp_tiled(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
               Shape s) {
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int THREADS = TILE * TILE / (T * T);
    constexpr int ACROSS = TILE / (8 * T);
    constexpr int BK = TILE < 128 ? 8 : 16;
    alignas(16) __shared__ float As[BK][TILE];
    alignas(16) __shared__ float Bs[BK][TILE];
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int ly = lane % 2 + lane / 16 * 2;
    const int lx = lane / 2 % 8;
    const int ty = warp / ACROSS * T + ly;
    const int tx = warp % ACROSS * 2 * T + lx;
    const int row = blockIdx.y * TILE;
    const int col = blockIdx.x * TILE;
    alignas(16) float sum[T][T];
    for (int r = 0; r < T; ++r)
        for (int c = 0; c < T; ++c) sum[r][c] = 0.0f;
    for (int k0 = 0; k0 < s.k; k0 += BK) {
#pragma unroll 2
        for (int n = 0; n < TILE * BK / 4; n += THREADS) {
            const int i = n + threadIdx.x;
            const int r = i / 2 % TILE;
            const int q = i / 2 / TILE * 2 + i % 2;
            const float4 a = cast<const float4>(A + ((row + r) * s.k + k0))[q];
            const int y = r ^ q % 2 * 16;
            As[4 * q][y] = a.x;
            As[4 * q + 1][y] = a.y;
            As[4 * q + 2][y] = a.z;
            As[4 * q + 3][y] = a.w;
            const int k = i / (TILE / 4);
            const int x = i % (TILE / 4);
            cast<float4>(Bs[k])[x] = cast<const float4>(B + ((k0 + k) * s.n + col))[x];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            const int swap = k / 4 % 2 * 4;
            alignas(16) float a[T], b[T];
            for (int p = 0; p < T / 4; ++p) {
                const int y = (ty + p * 4) ^ swap;
                cast<float4>(a)[p] = cast<float4>(As[k])[y];
                cast<float4>(b)[p] = cast<float4>(Bs[k])[tx + p * 8];
            }
            for (int r = 0; r < T; ++r)
                for (int c = 0; c < T; ++c) sum[r][c] += a[r] * b[c];
        }
        __syncthreads();
    }
    for (int r = 0; r < T; ++r) {
        const int y = 4 * (ty + r / 4 * 4) + r % 4;
        for (int p = 0; p < T / 4; ++p)
            cast<float4>(C + ((row + y) * s.n + col))[tx + p * 8] = cast<float4>(sum[r])[p];
    }
}

__device__ void copy_16(float4* to, const float4* from) {
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
}

template <int TILE>
__global__ void __launch_bounds__(256, 2)
    async_pipeline(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                   Shape s) {
    constexpr int T = TILE < 64 ? 4 : 8;
    constexpr int BK = TILE < 64 ? 8 : 16;
    constexpr int EDGE = TILE / T;
    constexpr int LX = EDGE < 8 ? EDGE : 8;
    constexpr int LY = EDGE < 4 ? EDGE : 4;
    alignas(16) __shared__ float As[3][TILE][BK];
    alignas(16) __shared__ float Bs[3][BK][TILE];
    const int i = threadIdx.x;
    const int lane = i % 32, warp = i / 32;
    const int tx = lane % 2 + lane / 4 % (LX / 2) * 2;
    const int ty = lane / 2 % 2 + lane / (2 * LX) * 2;
    const int wx = warp % (EDGE / LX), wy = warp / (EDGE / LX);
    const int y = wy * LY * T + ty;
    const int x = wx * LX * T / 4 + tx;
    const int row = blockIdx.y * TILE;
    const int col = blockIdx.x * TILE;
    const int tiles = s.k / BK;
    int fill = 0, use = 0;
    alignas(16) float sum[T][T];
    for (int r = 0; r < T; ++r)
        for (int c = 0; c < T; ++c) sum[r][c] = 0.0f;
    for (int t = -2; t < tiles; ++t) {
        if (t >= 0) {
            asm volatile("cp.async.wait_group %0;" ::"n"(1) : "memory");
            __syncthreads();
        }
        const int next = t + 2;
        if (next < tiles)
#pragma unroll
            for (int n = 0; n < TILE * BK / 4; n += EDGE * EDGE) {
                const int j = n + i;
                const int r = j / (BK / 4), q = j % (BK / 4);
                const float* a = A + ((row + r) * s.k + next * BK);
                copy_16(&cast<float4>(As[fill][r])[q], &cast<const float4>(a)[q]);
                const int k = j / (TILE / 4), p = j % (TILE / 4);
                const float* b = B + ((next * BK + k) * s.n + col);
                copy_16(&cast<float4>(Bs[fill][k])[p], &cast<const float4>(b)[p]);
            }
        asm volatile("cp.async.commit_group;" ::: "memory");
        fill = fill + 1 < 3 ? fill + 1 : 0;
        if (t < 0) continue;
#pragma unroll
        for (int q = 0; q < BK / 4; ++q) {
            alignas(16) float a[T][4];
            for (int r = 0; r < T; ++r)
                cast<float4>(a[r])[0] = cast<float4>(As[use][y + r * LY])[q];
            for (int k = 0; k < 4; ++k) {
                alignas(16) float b[T];
                for (int p = 0; p < T / 4; ++p)
                    cast<float4>(b)[p] = cast<float4>(Bs[use][4 * q + k])[x + p * LX];
                for (int r = 0; r < T; ++r)
                    for (int n = 0; n < T; ++n) {
                        const int c = r % 2 == 0 ? n : T - 1 - n;
                        sum[r][c] += a[r][k] * b[c];
                    }
            }
        }
        use = use + 1 < 3 ? use + 1 : 0;
    }
    for (int r = 0; r < T; ++r)
        for (int p = 0; p < T / 4; ++p)
            cast<float4>(C + ((row + y + r * LY) * s.n + col))[x + p * LX] =
                cast<float4>(sum[r])[p];
}

#define INSTANTIATE(...) \
    template __global__ void __VA_ARGS__(const float*, const float*, float*, Shape);
// clang-format off: a kernel a line
#define FOR_PAD(kernel, ...)           \
    INSTANTIATE(kernel<__VA_ARGS__ 0>) \
    INSTANTIATE(kernel<__VA_ARGS__ 1>) \
    INSTANTIATE(kernel<__VA_ARGS__ 2>)
#define FOR_TILE(tile)                   \
    INSTANTIATE(naive_by_column<tile>)   \
    INSTANTIATE(naive<tile>)             \
    INSTANTIATE(guide_simple<tile>)      \
    FOR_PAD(guide_a_shared, tile, )      \
    FOR_PAD(guide_ab_shared, tile, )     \
    FOR_PAD(tiled_b_uncoalesced, tile, ) \
    FOR_PAD(tiled_b_transposed, tile, )  \
    FOR_PAD(tiled, tile, )               \
    FOR_PAD(tiled_any_size, tile, )
// clang-format on
FOR_TILE(2)
FOR_TILE(4)
FOR_TILE(8)
FOR_TILE(16)
FOR_TILE(32)
FOR_PAD(single_block)
FOR_PAD(tiled_dynamic)
FOR_PAD(outer_product, 16, )
FOR_PAD(outer_product_unrolled, 16, )
FOR_PAD(outer_product_prefetch, 16, )
INSTANTIATE(cpu_naive<0>)
INSTANTIATE(cpu_tiled<4>)
INSTANTIATE(cpu_tiled<8>)
INSTANTIATE(cpu_tiled<16>)
INSTANTIATE(cpu_tiled<32>)
INSTANTIATE(cpu_tiled<64>)
// clang-format off: a TILE a line
#define FOR_LARGE_TILE(tile)         \
    INSTANTIATE(register_tile<tile>) \
    INSTANTIATE(vectorized<tile, 0>) \
    INSTANTIATE(vectorized<tile, 4>) \
    INSTANTIATE(swizzled<tile>)
// clang-format on
FOR_LARGE_TILE(8)
FOR_LARGE_TILE(16)
FOR_LARGE_TILE(32)
FOR_LARGE_TILE(64)
FOR_LARGE_TILE(128)
INSTANTIATE(warp_tiled<32>)
INSTANTIATE(warp_tiled<64>)
INSTANTIATE(warp_tiled<128>)
INSTANTIATE(async_pipeline<8>)
INSTANTIATE(async_pipeline<16>)
INSTANTIATE(async_pipeline<32>)
INSTANTIATE(async_pipeline<64>)
INSTANTIATE(async_pipeline<128>)
