// says: C would be A times B if the 8 x 8 matrices of B were transposed
// ends: exit 0
#include "products.h"

// A register of B lies along k, so the rows of a row-major B are loaded with .trans.
__global__ void k(const half* a, const half* b, float* c) {
    __shared__ __align__(16) half as[kTile * kTile], bs[kTile * kTile];
    for (int i = threadIdx.x; i < kTile * kTile; i += 32) as[i] = a[i], bs[i] = b[i];
    __syncwarp();
    const int place = threadIdx.x % 16 * kTile + threadIdx.x / 16 * 8;
    uint32_t fa[4], fb[4];
    LOAD_MATRICES(fa, as + place);
#ifdef FIXED
    LOAD_TRANSPOSED(fb, bs + place);
#else
    LOAD_MATRICES(fb, bs + place);
#endif
    float left[4] = {}, right[4] = {};
    MULTIPLY_WARP(left, fa, fb[0], fb[1]);
    MULTIPLY_WARP(right, fa, fb[2], fb[3]);
    store_sums(c, left, 0);
    store_sums(c, right, 1);
}
int main() { return run_product(k); }
