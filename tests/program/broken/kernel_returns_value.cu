// says: kernel k returns a value: a kernel must return void
// ends: not compiled
__global__ int k(float* out) {
    out[threadIdx.x] = 1;
    return 1;
}
int main() {
    float* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaFree(x);
}
