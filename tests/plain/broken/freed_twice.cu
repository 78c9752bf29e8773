// says: cudaFree is given a pointer that cudaMalloc did not give, or twice
// ends: exit 1
int main() {
    float* x;
    cudaMalloc(&x, 128);
    cudaFree(x);
    return cudaFree(x);
}
