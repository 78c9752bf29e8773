// says: invalid conversion from
// says: lost_const.cu:5
// ends: not compiled
__global__ void k(const float* in, float* out) {
    float* a = in;
    out[threadIdx.x] = a[threadIdx.x];
}
int main() {
    float* x;
    cudaMalloc(&x, 256);
    k<<<1, 32>>>(x, x + 32);
    cudaFree(x);
}
