// says: Thread 0 of block 1 reads words[0] of a block of its cluster that may have ended, on line 12
// ends: exit 0
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// Lacks a second barrier of the cluster: block 0 may return before block 1 reads.
__global__ void __cluster_dims__(2, 1, 1) k(int* to) {
    __shared__ int words[32];
    cg::cluster_group cluster = cg::this_cluster();
    words[threadIdx.x] = threadIdx.x;
    cluster.sync();
    if (cluster.block_rank() == 1)
        to[threadIdx.x] = cluster.map_shared_rank(words, 0)[threadIdx.x];
}
int main() {
    int* to;
    cudaMalloc(&to, 128);
    k<<<2, 32>>>(to);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(to);
    return failed;
}
