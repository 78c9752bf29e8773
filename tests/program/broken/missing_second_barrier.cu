// says: put __syncthreads() at the end of each trip: after line 9, before line 7 of the next trip
// ends: exit 0
__global__ void sums(const float* in, float* out, int n) {
    __shared__ float tile[64];
    float sum = 0;
    for (int base = 0; base < n; base += 64) {
        tile[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i) sum += tile[i];
    }
    out[threadIdx.x] = sum;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 256 * sizeof *in);
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(in, 0, 256 * sizeof *in);
    sums<<<1, 64>>>(in, out, 256);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
