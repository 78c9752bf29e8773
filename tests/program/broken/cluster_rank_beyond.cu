// says: maps an address to block 2 of its cluster, which has 2 blocks, on line 9
// ends: exit 1
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) k() {
    __shared__ int word;
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    *cluster.map_shared_rank(&word, cluster.block_rank() + 1) = 1;
    cluster.sync();
}
int main() {
    k<<<2, 32>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
