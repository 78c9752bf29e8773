// says: cudaFree is called with a pointer that cudaMalloc did not return, or that was freed before, on line 8
// ends: exit 1
// kind: other
int main() {
    float* x;
    cudaMalloc(&x, 128);
    cudaFree(x);
    return cudaFree(x);
}
