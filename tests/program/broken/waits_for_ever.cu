// says: Thread 0 of block 0 waits for ever: fewer bytes arrive than are expected, on line 17
// ends: exit 1
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void k(const float* in, float* out) {
    __shared__ alignas(16) float tile[64];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &bar);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                       2 * sizeof tile);
    }
    __syncthreads();
    int polls = 0;
    while (!ptx::mbarrier_try_wait_parity(&bar, 0)) ++polls;
    out[threadIdx.x] = tile[threadIdx.x] + polls;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    k<<<1, 64>>>(in, out);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(in);
    cudaFree(out);
    return failed;
}
