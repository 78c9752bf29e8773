// says: return-statement with a value, in function returning
// says: returns_a_statement.cu:8
// ends: not compiled
// The semicolon is missing.
__global__ void k(float* out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return
    out[i] = 2;
}
int main() {
    float* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x, 30);
    cudaFree(x);
}
