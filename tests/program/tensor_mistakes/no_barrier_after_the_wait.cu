// says: with no barrier between them: either may come first
// ends: exit 0
#include "pieces.h"

__global__ void k(const half* in, float* out) {
    __shared__ __align__(16) half tile[64];
    if (threadIdx.x < 8) COPY_16(tile + threadIdx.x * 8, in + threadIdx.x * 8);
    COMMIT_COPIES();
    WAIT_COPIES(0);
#ifdef FIXED
    __syncthreads();
#endif
    uint32_t r;
    LOAD_MATRIX(r, tile + threadIdx.x % 8 * 8);
    out[threadIdx.x] = r;
}
int main() { return run(k, 64); }
