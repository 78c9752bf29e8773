// says: the program left it, or ended, while the kernel ran
// ends: signal 9
#include <signal.h>
#include <unistd.h>
__host__ __device__ void end(int i) {
    if (i == 3) kill(getpid(), SIGKILL);
}
__global__ void k() { end(threadIdx.x); }
int main() {
    k<<<1, 32>>>();
    cudaDeviceSynchronize();
}
