// says: cudaMemset writes 512 bytes, more than
// ends: exit 1
int main() {
    float* x;
    cudaMalloc(&x, 128);
    const int error = cudaMemset(x, 0, 128 * sizeof *x);
    cudaFree(x);
    return error;
}
