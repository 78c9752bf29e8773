// says: Thread 0 of block 0 writes f[1073741824], 1,073,741,761 elements beyond the last of its 64, where there is no memory, on line 8
// ends: exit 1
// kind: out of bounds
struct Flags {
    unsigned low : 4, high : 28;
};
__global__ void k(Flags* f) {
    f[threadIdx.x + (1 << 30)].low = 3;
}
int main() {
    Flags* f;
    cudaMalloc(&f, 256);
    k<<<1, 32>>>(f);
    const int failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(f);
    return failed;
}
