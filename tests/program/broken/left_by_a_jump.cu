// says: the program left it, or ended, while the kernel ran
// ends: exit 5
#include <setjmp.h>
sigjmp_buf behind;
void jump() { siglongjmp(behind, 1); }
__host__ __device__ void leave(int i) {
    if (i == 3) jump();
}
__global__ void leaves() { leave(threadIdx.x); }
__global__ void stays(int* x) { x[threadIdx.x] = threadIdx.x; }
int main() {
    if (sigsetjmp(behind, 1) == 0) leaves<<<1, 32>>>();
    int *x, of_host[32];
    cudaMalloc(&x, sizeof of_host);
    stays<<<1, 32>>>(x);
    cudaMemcpy(of_host, x, sizeof of_host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return of_host[5];
}
