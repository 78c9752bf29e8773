// says: 1 element beyond the last of its 32, on line 7 (32 times in all)
// ends: exit 0
// kind: out of bounds
#include <algorithm>
// std::max() reads its arguments.
__global__ void k(const int* x, int* out) {
    out[threadIdx.x] = std::max(x[threadIdx.x + 32], 1);
}
int main() {
    int *x, *out;
    cudaMalloc(&x, 128);
    cudaMalloc(&out, 128);
    cudaMemset(x, 0, 128);
    k<<<1, 32>>>(x, out);
    cudaFree(x);
    cudaFree(out);
}
