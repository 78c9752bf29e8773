// says: waits for the whole grid, but the launch is not a cooperative one: use cudaLaunchCooperativeKernel, on line 7
// ends: exit 0
#include <cooperative_groups.h>

__global__ void k(int* x) {
    x[blockIdx.x] = 1;
    cooperative_groups::this_grid().sync();
    x[blockIdx.x] += x[0];
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<4, 1>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
