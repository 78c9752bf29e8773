// says: has a stack overflow: a function calls itself without end
// ends: exit 0
__device__ int down(int n, int* x) { return n == -1 ? 0 : down(n + 1, x) + x[n & 31]; }
__global__ void k(int* x) { x[threadIdx.x] = down(0, x); }
int main() {
    int* x;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    k<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
