// says: Thread 0 of block 0 reads in[2000000], 1,998,977 elements beyond the last of its 1,024, where there is no memory, on line 6
// ends: exit 0
// kind: out of bounds
// The array that is named is the one that was meant, and not the one that lies nearest.
__global__ void k(const float* in, float* out) {
    out[threadIdx.x] = in[threadIdx.x + 2'000'000];
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 1024 * sizeof *in);
    cudaMalloc(&out, 64 * sizeof *out);
    k<<<1, 1>>>(in, out);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
