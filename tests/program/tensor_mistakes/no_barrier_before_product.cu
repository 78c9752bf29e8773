// says: with no barrier between them: either may come first
// ends: exit 0
#include "pieces.h"

__global__ void k(const half* in, float* out) {
    __shared__ __align__(128) half a[kTileA], b[kTileB];
    for (int i = threadIdx.x; i < kTileA; i += blockDim.x) a[i] = in[i];
    if (threadIdx.x < kTileB) b[threadIdx.x] = in[kTileA + threadIdx.x];
    PROXY_FENCE();
#ifdef FIXED
    __syncthreads();
#else
#endif
    float d[4] = {};
    PRODUCTS_FENCE();
    MULTIPLY(d, descriptor(a, 128, 256, 0), descriptor(b, 128, 256, 0));
    COMMIT_PRODUCTS();
    WAIT_PRODUCTS(0);
    for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
int main() { return run(k, 128); }
