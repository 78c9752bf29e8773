// says: copies bytes of global memory, up to 128 bytes beyond the array, which has 128, on line 11
// ends: exit 1
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void k(const float* in, float* out) {
    __shared__ alignas(16) float tile[64];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &bar);
    }
    out[threadIdx.x] = tile[threadIdx.x];
}
int main() {
    float* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x, x);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(x);
    return failed;
}
