// says: Thread 0 of block 0 reads 16 bytes of in at byte 4, which is not a multiple of 16, on line 4
// ends: exit 0
__global__ void copy(const float* in, float4* out) {
    out[threadIdx.x] = *reinterpret_cast<const float4*>(in + 1 + 4 * threadIdx.x);
}
int main() {
    float* in;
    float4* out;
    cudaMalloc(&in, 256 * sizeof *in);
    cudaMalloc(&out, 32 * sizeof *out);
    copy<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
