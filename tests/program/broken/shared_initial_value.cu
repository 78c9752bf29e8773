// says: part is in shared memory and has an initial value: shared memory cannot have one; let threads store it
// ends: not compiled
__global__ void k(float* out) {
    __shared__ float part[32] = {0};
    out[threadIdx.x] = part[threadIdx.x];
}
int main() {
    float* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaFree(x);
}
