// says: Thread 0 of block 0 reaches tcgen05.fence::after_thread_sync in inline PTX, which Tilereel does not run: write it in CUDA C++, or with an intrinsic function, on line 5
// ends: exit 3
__global__ void k(int* x) {
    x[threadIdx.x] = 1;
    asm volatile("tcgen05.fence::after_thread_sync;");
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
