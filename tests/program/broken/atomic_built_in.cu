// says: kernel k calls __atomic_load_4(), which is host code: device code cannot call it; use atomicAdd() and its like, or cuda::atomic_ref
// ends: not compiled
__global__ void k(int* x) { x[1] = __atomic_load_n(x, __ATOMIC_RELAXED); }
int main() {
    int* x;
    cudaMalloc(&x, 8);
    k<<<1, 1>>>(x);
    cudaFree(x);
}
