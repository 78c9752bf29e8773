// says: if the two 8 x 8 matrices beside the diagonal of each fragment of A changed places
// ends: exit 0
#include "products.h"

// The second matrix of A is the one below the first, not the one beside it.
__global__ void k(const half* a, const half* b, float* c) {
    __shared__ __align__(16) half as[kTile * kTile], bs[kTile * kTile];
    for (int i = threadIdx.x; i < kTile * kTile; i += 32) as[i] = a[i], bs[i] = b[i];
    __syncwarp();
    const int lane = threadIdx.x;
    uint32_t fa[4], fb[4];
#ifdef FIXED
    LOAD_MATRICES(fa, as + lane % 16 * kTile + lane / 16 * 8);
#else
    LOAD_MATRICES(fa, as + (lane % 8 + lane / 16 * 8) * kTile + lane / 8 % 2 * 8);
#endif
    LOAD_TRANSPOSED(fb, bs + lane % 16 * kTile + lane / 16 * 8);
    float left[4] = {}, right[4] = {};
    MULTIPLY_WARP(left, fa, fb[0], fb[1]);
    MULTIPLY_WARP(right, fa, fb[2], fb[3]);
    store_sums(c, left, 0);
    store_sums(c, right, 1);
}
int main() { return run_product(k); }
