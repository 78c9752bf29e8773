// says: launches a kernel from device code (dynamic parallelism), which Tilereel does not run: launch it from the host
// ends: exit 0
__global__ void child(int* x) { x[threadIdx.x] = 1; }
__global__ void parent(int* x) {
    x[0] = 0;
    if (threadIdx.x == 0) child<<<1, 32>>>(x);
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    parent<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
