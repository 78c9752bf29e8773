// says: runs ldmatrix in a branch that not all 32 lanes of its warp take
// ends: exit 1
#include "pieces.h"

__global__ void k(const half* in, float* out) {
    __shared__ __align__(16) half tile[64];
    for (int i = threadIdx.x; i < 64; i += 32) tile[i] = in[i];
    __syncthreads();
    uint32_t r = 0;
#ifdef FIXED
#else
    if (threadIdx.x < 16)
#endif
    LOAD_MATRIX(r, tile + threadIdx.x % 8 * 8);
    out[threadIdx.x] = r;
}
int main() { return run(k, 32); }
