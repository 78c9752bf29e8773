// says: may still read it (modelled)
// ends: exit 0
#include "pieces.h"

__global__ void k(const half* in, float* out) {
    __shared__ __align__(128) half a[2 * kTileA], b[kTileB];
    __shared__ __align__(8) uint64_t full[2], empty[2];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; ++i) {
            INIT_BARRIER(&full[i], 1);
            INIT_BARRIER(&empty[i], 128);
        }
    if (threadIdx.x < kTileB) b[threadIdx.x] = in[kTileA + threadIdx.x];
    PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x >= 128) {  // the producer
        if (threadIdx.x != 128) return;
        for (int tile = 0; tile < 3; ++tile) {
            if (tile >= 2) WAIT_PARITY(&empty[tile % 2], tile / 2 % 2 ^ 1);
            EXPECT_BYTES(&full[tile % 2], kTileA * 2);
            BULK_COPY(a + tile % 2 * kTileA, in + tile * kTileA, kTileA * 2, &full[tile % 2]);
        }
        return;
    }
    float d[4] = {};
    for (int tile = 0; tile < 3; ++tile) {
        WAIT_PARITY(&full[tile % 2], tile / 2 % 2);
        PRODUCTS_FENCE();
        MULTIPLY(d, descriptor(a + tile % 2 * kTileA, 128, 256, 0), descriptor(b, 128, 256, 0));
        COMMIT_PRODUCTS();
#ifdef FIXED
        WAIT_PRODUCTS(0);
        ARRIVE(&empty[tile % 2]);
#else
        ARRIVE(&empty[tile % 2]);
        WAIT_PRODUCTS(0);
#endif
    }
    for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = d[i];
}
int main() { return run(k, 160); }
