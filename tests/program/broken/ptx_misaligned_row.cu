// says: Thread 1 of block 0 reads 16 bytes of tile at byte 40, which is not a multiple of 16, on line 8
// ends: exit 0
// kind: misaligned
#include <cstdint>
__global__ void k(uint32_t* out) {
    __shared__ __align__(16) uint16_t tile[256];
    uint32_t r;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(r)
                 : "r"((uint32_t)__cvta_generic_to_shared(tile + 20 * (threadIdx.x % 8))));
    out[threadIdx.x] = r;
}
int main() {
    uint32_t* out;
    cudaMalloc(&out, 128);
    k<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
