// says: kernel k calls std::vector<int>::push_back(), which is host code: device code cannot call it; use arrays, printf(), or what <cuda/std/...> has
// ends: not compiled
#include <vector>
__global__ void k(int* x) {
    std::vector<int> seen;
    seen.push_back(threadIdx.x);
    x[threadIdx.x] = seen[0];
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaFree(x);
}
