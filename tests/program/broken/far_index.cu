// says: Thread 0 of block 0 writes x[100000000], 99,999,969 elements beyond the last of its 32, where there is no memory, on line 4
// ends: exit 0
// kind: out of bounds
__global__ void k(float* x, int i) { x[i] = 1; }
int main() {
    float* x;
    cudaMalloc(&x, 128);
    k<<<1, 1>>>(x, 100'000'000);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
