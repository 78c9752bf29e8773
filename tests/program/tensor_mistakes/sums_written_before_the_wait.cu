// says: writes sums that wgmma on line 17 still computes
// ends: exit 0
#include "pieces.h"

__device__ void clear(float (&sums)[4]) {
    for (float& sum : sums) sum = 0;
}
__global__ void k(const half* in, float* out) {
    __shared__ __align__(128) half a[kTileA], b[kTileB];
    for (int i = threadIdx.x; i < kTileA; i += blockDim.x) a[i] = in[i];
    if (threadIdx.x < kTileB) b[threadIdx.x] = in[kTileA + threadIdx.x];
    PROXY_FENCE();
    __syncthreads();
    float d[4];
    clear(d);
    PRODUCTS_FENCE();
    MULTIPLY(d, descriptor(a, 128, 256, 0), descriptor(b, 128, 256, 0));
    COMMIT_PRODUCTS();
#ifdef FIXED
    WAIT_PRODUCTS(0);
    clear(d);
#else
    clear(d);
    WAIT_PRODUCTS(0);
#endif
    for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
int main() { return run(k, 128); }
