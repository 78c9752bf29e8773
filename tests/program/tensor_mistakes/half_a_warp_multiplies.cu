// says: runs mma.sync in a branch that not all 32 lanes of its warp take
// ends: exit 1
#include "pieces.h"

__global__ void k(const half* in, float* out) {
    uint32_t a[4] = {}, b[2] = {};
    float d[4] = {};
#ifdef FIXED
#else
    if (threadIdx.x % 2 == 0)
#endif
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    out[threadIdx.x] = d[0];
}
int main() { return run(k, 32); }
