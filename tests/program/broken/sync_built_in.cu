// says: kernel k calls __sync_fetch_and_add_4(), which is host code: device code cannot call it; use atomicAdd()
// ends: not compiled
__global__ void k(int* x) { __sync_fetch_and_add(x, 1); }
int main() {
    int* x;
    cudaMalloc(&x, 4);
    k<<<1, 32>>>(x);
    cudaFree(x);
}
