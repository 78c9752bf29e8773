// says: Thread 0 of block 0 reads f[64], 1 element beyond the last of its 64, on line 8 (32 times in all)
// ends: exit 0
// kind: out of bounds
struct Flags {
    unsigned low : 4, high : 28;
};
__global__ void k(Flags* f, unsigned* out) {
    out[threadIdx.x] = f[threadIdx.x + 64].high;
}
int main() {
    Flags* f;
    unsigned* out;
    cudaMalloc(&f, 256);
    cudaMalloc(&out, 128);
    k<<<1, 32>>>(f, out);
    cudaFree(f);
    cudaFree(out);
}
