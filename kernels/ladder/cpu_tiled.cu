// cpu_tiled: a task for each tile of C
// Idea   a tile of B, copied once, stays in a core's cache; the
//        sums of 4 rows in its registers
// Watch  Bs read row by row for 4 rows of A, then 4 more. Counted
//        as blocks of one thread: what a GPU would pay for a lone
//        lane
// Next   01 naive_by_column: a thread for each sum
// Source "The Matrix Multiplication Example", Naive Implementation
//        On CPUs, and Tiling
// [launch]
// built = {TILE = [4, 8, 16, 32, 64]}

__device__ int least(int a, int b) {
    return a < b ? a : b;
}

// m x n of C: A's rows times a tile of B. Where m and n
// are constants, rows are whole vectors.
template <int ROWS, int COLS, int TILE>
__device__ __forceinline__ void strip(
    const float* __restrict__ A,
    const float (*__restrict__ Bs)[TILE],
    float* __restrict__ C, int N, int K, int m, int n,
    int depth, int x, bool first) {
    float sum[ROWS][COLS] = {};  // C[r][c]
    if (!first)  // go on where the last tile ended
        for (int r = 0; r < m; ++r)
            for (int c = 0; c < n; ++c)
                sum[r][c] = C[r * N + c];
    for (int k = 0; k < depth; ++k)
        for (int r = 0; r < m; ++r) {
            const float a = A[r * K + k];
            for (int c = 0; c < n; ++c)
                sum[r][c] += a * Bs[k][x + c];
        }
    for (int r = 0; r < m; ++r)
        for (int c = 0; c < n; ++c)
            C[r * N + c] = sum[r][c];
}

template <int TILE>
__global__ void cpu_tiled(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    constexpr int ROWS = 4;
    constexpr int COLS = TILE < 32 ? TILE : 32;
    __shared__ float Bs[TILE][TILE];  // k, col
    const int row = blockIdx.y * TILE;  // first
    const int col = blockIdx.x * TILE;  // first
    for (int k0 = 0; k0 < K; k0 += TILE) {
        const int m = least(TILE, M - row);
        const int n = least(TILE, N - col);
        const int depth = least(TILE, K - k0);
        for (int r = 0; r < depth; ++r)
            for (int c = 0; c < n; ++c)
                Bs[r][c] = B[(k0 + r) * N + col + c];
        for (int y = row; y < row + m; y += ROWS)
            for (int x = 0; x < n; x += COLS) {
                const float* a = A + (y * K + k0);
                float* c = C + (y * N + col + x);
                const int h = least(ROWS, row + m - y);
                const int w = least(COLS, n - x);
                if (h == ROWS && w == COLS)
                    strip<ROWS, COLS>(
                        a, Bs, c, N, K, ROWS, COLS, depth, x,
                        k0 == 0);
                else
                    strip<ROWS, COLS>(
                        a, Bs, c, N, K, h, w, depth, x,
                        k0 == 0);
            }
    }
}

template <int TILE>
void launch_cpu_tiled(const float* A, const float* B,
                      float* C, int M, int N, int K) {
    const dim3 grid((N + TILE - 1) / TILE,
                    (M + TILE - 1) / TILE);
    const int block = 1;
    cpu_tiled<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
