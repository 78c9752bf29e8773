// says: waits for ever: fewer bytes arrive than are expected
// ends: exit 1
#include "pieces.h"
#ifdef FIXED
#define EXTRA 2
#else
#define EXTRA 4
#endif

__global__ void k(const half* in, float* out) {
    __shared__ __align__(128) half a[kTileA], b[kTileB];
    __shared__ __align__(8) uint64_t bar;
    if (threadIdx.x == 0) INIT_BARRIER(&bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        EXPECT_BYTES(&bar, kTileA * 2 + kTileB * EXTRA);
        BULK_COPY(a, in, kTileA * 2, &bar);
        BULK_COPY(b, in + kTileA, kTileB * 2, &bar);
    }
    WAIT_PARITY(&bar, 0);
    float d[4] = {};
    PRODUCTS_FENCE();
    MULTIPLY(d, descriptor(a, 128, 256, 0), descriptor(b, 128, 256, 0));
    COMMIT_PRODUCTS();
    WAIT_PRODUCTS(0);
    for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
int main() { return run(k, 128); }
