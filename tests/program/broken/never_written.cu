// says: thread 31 of warp 0 reads tile[32] on line 7, but no thread has written it
// ends: exit 0
__global__ void shift(const float* in, float* out) {
    __shared__ float tile[33];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x + 1];
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 32 * sizeof *in);
    cudaMalloc(&out, 32 * sizeof *out);
    shift<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
