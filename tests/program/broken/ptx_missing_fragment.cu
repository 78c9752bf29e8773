// says: Thread 0 of block 0 gives mma.sync
// ends: exit 3
#include <cstdint>
__global__ void k(float* out) {
    float d[4] = {};
    uint32_t a = threadIdx.x;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%4, %4}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a));
    out[threadIdx.x] = d[0];
}
int main() {
    float* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
