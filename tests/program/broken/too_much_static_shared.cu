// says: The launch asks for 80000 bytes of shared memory a block, 80000 of them declared in the kernel; it may have 49152
// ends: exit 1
__global__ void k(float* x) {
    __shared__ float s[20000];
    s[threadIdx.x] = 1;
    x[threadIdx.x] = s[threadIdx.x];
}
int main() {
    float* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    const int error = cudaGetLastError();
    cudaFree(x);
    return error;
}
