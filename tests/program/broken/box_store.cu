// says: copies bytes in bulk from shared to global memory, which Tilereel does not run: store them with the threads of the block, on line 8
// ends: exit 1
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void k(float* out) {
    __shared__ alignas(16) float tile[64];
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
}
int main() {
    float* x;
    cudaMalloc(&x, 256);
    k<<<1, 1>>>(x);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(x);
    return failed;
}
