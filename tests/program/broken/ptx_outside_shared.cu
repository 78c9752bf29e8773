// says: Thread 32 of block 0 reads tile[32], 1 element beyond the last of its 32 and beyond all shared memory of its block, on line 7
// ends: exit 0
#include <cstdint>
__global__ void k(int* out) {
    __shared__ int tile[32];
    if (threadIdx.x < 32) tile[threadIdx.x] = 1;
    asm volatile("ld.shared.s32 %0, [%1];"
                 : "=r"(out[threadIdx.x])
                 : "r"((uint32_t)__cvta_generic_to_shared(tile) + 4 * threadIdx.x));
}
int main() {
    int* out;
    cudaMalloc(&out, 256);
    k<<<1, 33>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
