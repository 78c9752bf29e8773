// says: which is not a multiple of 16
// ends: exit 1
#include "pieces.h"

__global__ void k(const half* in, float* out) {
    __shared__ __align__(16) half tile[128];
    for (int i = threadIdx.x; i < 128; i += 32) tile[i] = in[i];
    __syncthreads();
    uint32_t r;
#ifdef FIXED
    LOAD_MATRIX(r, tile + threadIdx.x % 8 * 16);
#else
    LOAD_MATRIX(r, tile + threadIdx.x % 8 * 12);
#endif
    out[threadIdx.x] = r;
}
int main() { return run(k, 32); }
