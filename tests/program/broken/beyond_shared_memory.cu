// says: writes s[32], 1 element beyond the last of its 32 and beyond all shared memory of its block, on line 9
// ends: exit 0
// A block of 128 bytes of shared memory. Where the next 128 would begin, an H200 ends the launch.
#include <cstdio>
__global__ void beyond(int* x, int i) {
    __shared__ int s[32];
    s[threadIdx.x] = 1;
    __syncthreads();
    s[i] = 2;
    x[0] = s[0];
}
int main() {
    int* x;
    cudaMalloc(&x, 4);
    beyond<<<1, 32>>>(x, 32);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
