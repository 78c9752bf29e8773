// says: A copy of 256 bytes goes 128 bytes beyond the end of the allocation it writes, on line 8
// ends: exit 1
// kind: host access
int main() {
    static float h[64];
    float* x;
    cudaMalloc(&x, 32 * sizeof(float));
    const int error = cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    cudaFree(x);
    return error;
}
