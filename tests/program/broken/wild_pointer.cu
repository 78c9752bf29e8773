// says: Thread 0 of block 0 reads an address where there is no memory, through p, on line 4
// ends: exit 0
// kind: out of bounds
__global__ void k(const int* p, int* x) { x[threadIdx.x] = p[threadIdx.x]; }
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>((const int*)0x123456789000, x);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
