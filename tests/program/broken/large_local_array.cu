// says: kernel k: local has 524292 bytes; a thread of a GPU has at most 512 KiB
// ends: not compiled
__global__ void k(int* x, int n) {
    int local[(1 << 17) + 1];
    for (int i = 0; i < n; ++i) local[i] = i;
    x[threadIdx.x] = local[n - 1];
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 1>>>(x, 1 << 17);
    cudaFree(x);
}
