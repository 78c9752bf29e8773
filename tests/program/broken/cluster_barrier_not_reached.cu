// says: Thread 0 of block 1 waits for ever: too few threads arrive at the barrier, on line 12
// ends: exit 1
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
// Block 1 waits for a phase that nobody completes, block 0 for block 1.
__global__ void __cluster_dims__(2, 1, 1) k() {
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 2);
    __syncthreads();
    if (blockIdx.x == 1 && threadIdx.x == 0)
        while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
        }
    cooperative_groups::this_cluster().sync();
}
int main() {
    k<<<2, 32>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
