// says: Thread 0 of block 0 arrives at a barrier in shared memory that no thread has initialised, on line 7
// ends: exit 1
#include <cuda/ptx>

__global__ void k() {
    __shared__ uint64_t bar;
    cuda::ptx::mbarrier_arrive(&bar);
}
int main() {
    k<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
