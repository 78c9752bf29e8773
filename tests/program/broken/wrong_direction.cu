// says: A copy says cudaMemcpyDeviceToHost, but its target is device memory, on line 6
// ends: exit 1
int main() {
    float h[32] = {}, *x;
    cudaMalloc(&x, sizeof h);
    const int error = cudaMemcpy(x, h, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return error;
}
