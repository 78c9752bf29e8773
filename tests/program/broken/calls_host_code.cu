// says: device function of_device calls of_host(), which is host code: device code cannot call it; mark it __device__
// ends: not compiled
int of_host(int* x, int i) { return x[i] = i; }
__device__ int of_device(int* x) { return of_host(x, threadIdx.x); }
__global__ void k(int* x) { of_device(x); }
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
