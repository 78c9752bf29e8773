// says: cudaMemset writes 512 bytes, 384 bytes beyond the end of the allocation, on line 6
// ends: exit 1
int main() {
    float* x;
    cudaMalloc(&x, 128);
    const int error = cudaMemset(x, 0, 128 * sizeof *x);
    cudaFree(x);
    return error;
}
