// says: waits at the barrier of its cluster, at which it has not arrived, on line 5
// ends: exit 1
__global__ void __cluster_dims__(2, 1, 1) k() {
    if (threadIdx.x != 0) asm volatile("barrier.cluster.arrive;" ::: "memory");
    asm volatile("barrier.cluster.wait;" ::: "memory");
}
int main() {
    k<<<2, 32>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
