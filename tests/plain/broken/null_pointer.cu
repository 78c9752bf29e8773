// says: Thread 0 of block 0 writes memory that is not the GPU's, through x, on line 3
// ends: exit 0
__global__ void fill(float* x) { x[threadIdx.x] = 1; }
int main() {
    float* x = nullptr;
    fill<<<1, 32>>>(x);
    cudaDeviceSynchronize();
}
