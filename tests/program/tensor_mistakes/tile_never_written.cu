// says: but no thread has written it: store to it, and pass a barrier, before the read
// ends: exit 0
#include "pieces.h"

__global__ void k(const half* in, float* out) {
    __shared__ __align__(16) half tile[64];
#ifdef FIXED
    if (threadIdx.x < 64) tile[threadIdx.x] = in[threadIdx.x];
    tile[threadIdx.x + 32] = in[threadIdx.x + 32];
#else
    tile[threadIdx.x] = in[threadIdx.x];
#endif
    __syncthreads();
    uint32_t r;
    LOAD_MATRIX(r, tile + threadIdx.x % 8 * 8);
    out[threadIdx.x] = r;
}
int main() { return run(k, 32); }
