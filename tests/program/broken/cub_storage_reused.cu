// says: reads storage[0] on line 8 and thread 32 of warp 1 writes it on line 9, with no barrier between them: either may come first; put __syncthreads() between the two: after line 8, before line 9
// ends: exit 0
#include <cub/cub.cuh>

__global__ void sums(const int* in, int* out) {
    using Sum = cub::BlockReduce<int, 128>;
    __shared__ typename Sum::TempStorage storage;
    const int one = Sum(storage).Sum(in[threadIdx.x]);
    const int two = Sum(storage).Sum(2 * in[threadIdx.x]);
    if (threadIdx.x == 0) *out = one + two;
}
int main() {
    int *in, *out;
    cudaMalloc(&in, 128 * sizeof *in);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(in, 0, 128 * sizeof *in);
    sums<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
