// cpu_tiled: a task for each tile of C, for all cores
// Idea   a tile of B, copied once, is read from the
//        cache; the sums of 4 rows stay in registers
// Watch  a block is one thread, as a task is on a
//        core: every request has a single lane
// Next   01 naive_by_column: a thread for each sum
// Source "The Matrix Multiplication Example",
//        Naive Implementation On CPUs, Tiling
// Needs  any M, N, K
#include "kernels/dialect/dialect.h"
__device__ __forceinline__ int least(int a, int b) {
    return a < b ? a : b;
}
// t.m x t.n of C, over a tile of B that is t.k deep: with
// constants for t.m and t.n, each row is whole vectors
template <int ROWS, int COLS, class Tile>
__device__ __forceinline__ void strip(
    Global<const float> A, Tile Bs, Global<float> C,
    Shape s, Shape t, int x, bool first) {
    Accumulator<float> sum[ROWS][COLS];  // C[r][c]
    if (!first)  // go on from where the last tile left
        for (int r = 0; r < t.m; ++r)
            for (int c = 0; c < t.n; ++c)
                sum[r][c] = C[r * s.n + c];
    for (int k = 0; k < t.k; ++k)
        for (int r = 0; r < t.m; ++r) {
            const float a = A[r * s.k + k];
            for (int c = 0; c < t.n; ++c)
                sum[r][c] += a * Bs[k][x + c];
        }
    for (int r = 0; r < t.m; ++r)
        for (int c = 0; c < t.n; ++c)
            C[r * s.n + c] = sum[r][c];
}
template <int TILE>
__global__ void cpu_tiled(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    constexpr int ROWS = 4, COLS = TILE < 32 ? TILE : 32;
    SHARED(float, Bs, TILE, TILE);  // k, col
    const int row = blockIdx.y * TILE;  // 1st, of C
    const int col = blockIdx.x * TILE;  // 1st, of C
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        const int m = least(TILE, s.m - row);
        const int n = least(TILE, s.n - col);
        const int k = least(TILE, s.k - k0);
        for (int r = 0; r < k; ++r)
            for (int c = 0; c < n; ++c)
                Bs[r][c] = B[(k0 + r) * s.n + col + c];
        for (int y = row; y < row + m; y += ROWS)
            for (int x = 0; x < n; x += COLS) {
                const auto a = A + (y * s.k + k0);
                const auto c = C + (y * s.n + col + x);
                const Shape t{least(ROWS, row + m - y),
                              least(COLS, n - x), k};
                if (t.m == ROWS && t.n == COLS)
                    strip<ROWS, COLS>(a, Bs, c, s,
                        {ROWS, COLS, k}, x, k0 == 0);
                else
                    strip<ROWS, COLS>(a, Bs, c, s, t, x,
                                      k0 == 0);
            }
    }
}
