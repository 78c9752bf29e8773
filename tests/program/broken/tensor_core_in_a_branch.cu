// says: multiplies fragments in a branch that not all 32 lanes of its warp take
// ends: exit 0
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half* a, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fragment_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fragment_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::load_matrix_sync(fragment_a, a, 16);
    wmma::load_matrix_sync(fragment_b, a, 16);
    wmma::fill_fragment(sums, 0.0f);
    if (threadIdx.x < 16) wmma::mma_sync(sums, fragment_a, fragment_b, sums);
    wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major);
}
int main() {
    half* a;
    float* c;
    cudaMalloc(&a, 256 * sizeof(half));
    cudaMalloc(&c, 256 * sizeof(float));
    cudaMemset(a, 0, 256 * sizeof(half));
    k<<<1, 32>>>(a, c);
    cudaDeviceSynchronize();
}
