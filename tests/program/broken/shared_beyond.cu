// says: Thread 16 of block 0 writes tile[16], 1 element beyond the last of its 16, on line 5
// ends: exit 0
__global__ void stage(const float* in, float* out) {
    __shared__ float tile[16];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x % 16];
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 32 * sizeof *in);
    cudaMalloc(&out, 32 * sizeof *out);
    stage<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
