// says: calls a lambda of host code: mark it __device__, as in [=] __device__ (int i) { ... }
// ends: not compiled
template <class F>
__global__ void each(F f) {
    f(threadIdx.x);
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    each<<<1, 32>>>([=](int i) { x[i] = i; });
    cudaFree(x);
}
