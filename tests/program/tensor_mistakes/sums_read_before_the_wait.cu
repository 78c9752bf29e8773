// says: reads sums that wgmma on line 17 still computes
// ends: exit 0
#include "pieces.h"

// Two products in two groups: the sums of the first are there after the first wait, those of the
// second are not.
__global__ void k(const half* in, float* out) {
    __shared__ __align__(128) half a[kTileA], b[kTileB];
    for (int i = threadIdx.x; i < kTileA; i += blockDim.x) a[i] = in[i];
    if (threadIdx.x < kTileB) b[threadIdx.x] = in[kTileA + threadIdx.x];
    PROXY_FENCE();
    __syncthreads();
    float first[4] = {}, second[4] = {};
    PRODUCTS_FENCE();
    MULTIPLY(first, descriptor(a, 128, 256, 0), descriptor(b, 128, 256, 0));
    COMMIT_PRODUCTS();
    MULTIPLY(second, descriptor(a, 128, 256, 0), descriptor(b, 128, 256, 0));
    COMMIT_PRODUCTS();
    WAIT_PRODUCTS(1);
    for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = first[i];
#ifdef FIXED
    WAIT_PRODUCTS(0);
    for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] += second[i];
#else
    for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] += second[i];
    WAIT_PRODUCTS(0);
#endif
}
int main() { return run(k, 128); }
