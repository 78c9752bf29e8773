// says: The grid of 6 x 1 x 1 blocks is no multiple of its clusters of 4 x 1 x 1
// ends: exit 3
__global__ void __cluster_dims__(4, 1, 1) k() {}
int main() {
    k<<<6, 32>>>();
    return cudaGetLastError() == cudaSuccess ? 0 : 3;
}
