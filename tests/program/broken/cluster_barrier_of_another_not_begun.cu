// says: uses shared memory of a block of its cluster that may not have begun: let the cluster wait first, on line 11
// ends: exit 1
#include <cuda/ptx>
namespace ptx = cuda::ptx;
// Lacks a barrier of the cluster between the initialisation and the arrivals.
__global__ void __cluster_dims__(2, 1, 1) k() {
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 32);
    __syncthreads();
    uint64_t* const there = ptx::mapa(ptx::space_cluster, &bar, 1 - blockIdx.x);
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, there);
    while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
    }
}
int main() {
    k<<<2, 32>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
