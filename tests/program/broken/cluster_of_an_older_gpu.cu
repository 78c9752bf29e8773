// says: compute capability 8.0 has no clusters
// ends: exit 3
// test: --generation 8.0
__global__ void __cluster_dims__(2, 1, 1) k() {}
int main() {
    k<<<4, 32>>>();
    return cudaGetLastError() == cudaSuccess ? 0 : 3;
}
