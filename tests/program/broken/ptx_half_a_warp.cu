// says: Thread 0 of block 0 runs ldmatrix in a warp of fewer than 32 threads; give the block a multiple of 32, on line 8
// ends: exit 3
#include <cstdint>
__global__ void k(uint32_t* out) {
    __shared__ __align__(16) uint16_t tile[64];
    tile[threadIdx.x] = 1;
    uint32_t r;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(r)
                 : "r"((uint32_t)__cvta_generic_to_shared(tile + 8 * (threadIdx.x % 8))));
    out[threadIdx.x] = r;
}
int main() {
    uint32_t* out;
    cudaMalloc(&out, 128);
    k<<<1, 16>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
