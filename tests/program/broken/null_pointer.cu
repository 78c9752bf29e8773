// says: Thread 0 of block 0 writes through a null pointer, x, on line 4
// ends: exit 0
// kind: out of bounds
__global__ void fill(float* x) { x[threadIdx.x] = 1; }
int main() {
    float* x = nullptr;
    fill<<<1, 32>>>(x);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
