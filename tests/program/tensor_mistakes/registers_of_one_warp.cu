// says: (setmaxnreg) on line 12, and warp 1 of the same warpgroup does not
// ends: exit 0
#include "pieces.h"

__global__ void k(const half* in, float* out) {
    out[threadIdx.x] = 0;
#ifdef FIXED
    if (threadIdx.x < 128)
#else
    if (threadIdx.x < 32)
#endif
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
}
int main() { return run(k, 256); }
