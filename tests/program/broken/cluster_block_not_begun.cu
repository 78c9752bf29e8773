// says: Thread 0 of block 0 writes words[0] of a block of its cluster that may not have begun, on line 9
// ends: exit 0
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// Lacks a first barrier of the cluster.
__global__ void __cluster_dims__(2, 1, 1) k(int* to) {
    __shared__ int words[32];
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 0) cluster.map_shared_rank(words, 1)[threadIdx.x] = 1;
    cluster.sync();
    if (cluster.block_rank() == 1) to[threadIdx.x] = words[threadIdx.x];
}
int main() {
    int* to;
    cudaMalloc(&to, 128);
    k<<<2, 32>>>(to);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(to);
    return failed;
}
