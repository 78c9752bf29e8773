// cpu_tiled: a task for each tile of C
// Idea   a tile of B, copied once, stays in a core's
//        cache; the sums of 4 rows in its registers
// Watch  Bs read row by row for 4 rows of A, then 4
//        more. Counted as blocks of one thread: what
//        a GPU would pay for a lone lane
// Next   01 naive_by_column: a thread for each sum
// Source "The Matrix Multiplication Example",
//        Naive Implementation On CPUs, and Tiling
// Needs  any M, N, K
#include "kernels/dialect/dialect.h"
__device__ __forceinline__ int least(int a, int b) {
    return a < b ? a : b;
}
// t.m x t.n of C over a tile of B, t.k deep: where
// t.m and t.n are constants, rows are whole vectors
template <int ROWS, int COLS, class Tile>
__device__ __forceinline__ void strip(
    Global<const float> A, Tile Bs, Global<float> C,
    Shape s, Shape t, int x, bool first) {
    Accumulator<float> sum[ROWS][COLS];  // C[r][c]
    if (!first)  // go on where the last tile ended
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
    constexpr int ROWS = 4;
    constexpr int COLS = TILE < 32 ? TILE : 32;
    SHARED(float, Bs, TILE, TILE);  // k, col
    const int row = blockIdx.y * TILE;  // 1st
    const int col = blockIdx.x * TILE;  // 1st
    for (int k0 = 0; k0 < s.k; k0 += TILE) {
        const int m = least(TILE, s.m - row);
        const int n = least(TILE, s.n - col);
        const int k = least(TILE, s.k - k0);
        for (int r = 0; r < k; ++r)
            for (int c = 0; c < n; ++c)
                Bs[r][c] =
                    B[(k0 + r) * s.n + col + c];
        for (int y = row; y < row + m; y += ROWS)
            for (int x = 0; x < n; x += COLS) {
                const auto a = A + (y * s.k + k0);
                const auto c = C + (y * s.n + col + x);
                const int h = least(ROWS, row + m - y);
                const int w = least(COLS, n - x);
                if (h == ROWS && w == COLS)
                    strip<ROWS, COLS>(a, Bs, c, s,
                        {ROWS, COLS, k}, x, k0 == 0);
                else
                    strip<ROWS, COLS>(a, Bs, c, s,
                        {h, w, k}, x, k0 == 0);
            }
    }
}
