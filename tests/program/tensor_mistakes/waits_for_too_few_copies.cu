// says: may still be under way: put a wait for the copies
// ends: exit 0
#include "pieces.h"

__global__ void k(const half* in, float* out) {
    __shared__ __align__(16) half tile[64];
    if (threadIdx.x < 8) COPY_16(tile + threadIdx.x * 8, in + threadIdx.x * 8);
    COMMIT_COPIES();
#ifdef FIXED
    WAIT_COPIES(0);
#else
    WAIT_COPIES(1);
#endif
    __syncthreads();
    uint32_t r;
    LOAD_MATRIX(r, tile + threadIdx.x % 8 * 8);
    out[threadIdx.x] = r;
    WAIT_COPIES(0);
}
int main() { return run(k, 32); }
