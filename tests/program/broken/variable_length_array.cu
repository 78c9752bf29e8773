// says: kernel k has an array whose length is not a constant: device code cannot have one; give it a constant length
// ends: not compiled
__global__ void k(int* x, int n) {
    int seen[n];
    for (int i = 0; i < n; ++i) seen[i] = x[i];
    x[0] = seen[threadIdx.x];
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x, 32);
    cudaFree(x);
}
