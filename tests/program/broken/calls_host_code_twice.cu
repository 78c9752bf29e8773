// Each function is told of, not only the first one.
// says: kernel k calls of_host(), which is host code
// ends: not compiled
int of_host(int* x, int i) { return x[i] = i; }
__device__ int of_device(int* x) { return of_host(x, threadIdx.x); }
__global__ void k(int* x) { x[0] = of_device(x) + of_host(x, 1); }
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaFree(x);
}
