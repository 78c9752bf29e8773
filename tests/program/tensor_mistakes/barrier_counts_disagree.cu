// says: waits for ever: too few threads arrive at the barrier
// ends: exit 1
#include "pieces.h"

__global__ void k(const half* in, float* out) {
    __shared__ float x[128];
    x[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 128;" ::: "memory");
    else
#ifdef FIXED
        asm volatile("bar.sync 1, 128;" ::: "memory");
#else
        asm volatile("bar.sync 1, 64;" ::: "memory");
#endif
    out[threadIdx.x] = x[127 - threadIdx.x];
}
int main() { return run(k, 128); }
