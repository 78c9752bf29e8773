// Runs 10_tiled_any_size at every EVERY-th combination of M, N and K from 1 to 40, each with one
// TILE and PAD, and at all sizes near the edges of small tiles. Prints the number of right
// products; the exit code is the number of wrong ones, 100 at most.
#include <cstdio>
#include <vector>

#include "kernels/ladder/10_tiled_any_size.cu"

constexpr int kLargest = 40, kFloats = kLargest * kLargest;
static float *array_a, *array_b, *array_c;
static std::vector<float> a(kFloats), b(kFloats), c(kFloats);
static int right, wrong;

// Whole numbers: each sum is exact.
template <int TILE, int PAD>
void check(int m, int n, int k) {
    launch_tiled_any_size<TILE, PAD>(array_a, array_b, array_c, m, n, k);
    cudaMemcpy(c.data(), array_c, m * n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column) {
            float sum = 0;
            for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
            if (sum == c[row * n + column]) continue;
            std::printf("%d x %d x %d, TILE %d: wrong\n", m, n, k, TILE);
            ++wrong;
            return;
        }
    ++right;
}

template <int TILE>
void check_tile(int m, int n, int k) {
    if ((m + n + k) % 3 == 0) return check<TILE, 0>(m, n, k);
    if ((m + n + k) % 3 == 1) return check<TILE, 1>(m, n, k);
    check<TILE, 2>(m, n, k);
}

// Neighbouring sizes get different TILEs. TILEs that take long are used less often.
void check_any_tile(int m, int n, int k) {
    unsigned mixed = unsigned((m * 41 + n) * 41 + k) * 2654435761u;
    mixed = (mixed ^ mixed >> 15) % 128;
    if (mixed < 2) return check_tile<32>(m, n, k);
    if (mixed < 8) return check_tile<16>(m, n, k);
    if (mixed < 20) return check_tile<2>(m, n, k);
    if (mixed < 50) return check_tile<8>(m, n, k);
    check_tile<4>(m, n, k);
}

template <int TILE>
void check_edges() {
    for (int m = 1; m <= TILE + 2; ++m)
        for (int n = 1; n <= TILE + 2; ++n)
            for (int k = 1; k <= 2 * TILE + 1; ++k) check_tile<TILE>(m, n, k);
}

int main() {
    for (int i = 0; i < kFloats; ++i) a[i] = float(i * 7 % 11 - 5), b[i] = float(i * 5 % 13 - 6);
    for (float** const array : {&array_a, &array_b, &array_c})
        cudaMalloc(array, kFloats * sizeof(float));
    cudaMemcpy(array_a, a.data(), kFloats * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(array_b, b.data(), kFloats * sizeof(float), cudaMemcpyHostToDevice);
    for (int triple = 0; triple < kLargest * kLargest * kLargest; triple += EVERY)
        check_any_tile(triple / (kLargest * kLargest) + 1, triple / kLargest % kLargest + 1,
                       triple % kLargest + 1);
    check_edges<2>();
    check_edges<4>();
    for (float* const array : {array_a, array_b, array_c}) cudaFree(array);
    std::printf("%d right\n", right);
    return wrong < 100 ? wrong : 100;
}
