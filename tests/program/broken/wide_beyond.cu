// says: Thread 0 of block 0 reads in[30] to in[33], 2 elements beyond the last of its 32, on line 9
// ends: exit 0
// kind: out of bounds
// A structure of 16 bytes, half of which lies beyond the array.
struct alignas(8) Four {
    float x, y, z, w;
};
__global__ void k(const float* in, Four* out) {
    *out = *reinterpret_cast<const Four*>(in + 30);
}
int main() {
    float* in;
    Four* out;
    cudaMalloc(&in, 32 * sizeof *in);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(in, 0, 32 * sizeof *in);
    k<<<1, 1>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
