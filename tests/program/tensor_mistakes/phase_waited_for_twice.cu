// says: may still be under way: let the thread wait for the phase of the copy's mbarrier
// ends: exit 0
#include "pieces.h"

__global__ void k(const half* in, float* out) {
    __shared__ __align__(128) half a[kTileA], b[kTileB];
    __shared__ __align__(8) uint64_t bar;
    if (threadIdx.x == 0) INIT_BARRIER(&bar, 1);
    __syncthreads();
    float d[4] = {};
    for (int tile = 0; tile < 2; ++tile) {
        if (threadIdx.x == 0) {
            EXPECT_BYTES(&bar, kTileA * 2 + kTileB * 2);
            BULK_COPY(a, in + tile * 2048, kTileA * 2, &bar);
            BULK_COPY(b, in + tile * 2048 + kTileA, kTileB * 2, &bar);
        }
#ifdef FIXED
        WAIT_PARITY(&bar, tile % 2);
#else
        WAIT_PARITY(&bar, 0);
#endif
        PRODUCTS_FENCE();
        MULTIPLY(d, descriptor(a, 128, 256, 0), descriptor(b, 128, 256, 0));
        COMMIT_PRODUCTS();
        WAIT_PRODUCTS(0);
        __syncthreads();
    }
    WAIT_PARITY(&bar, 1);
    for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
int main() { return run(k, 128); }
