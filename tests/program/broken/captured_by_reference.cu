// says: the __device__ lambda captures scale by reference, which is a variable of the host: capture it by value, with [=]
// ends: not compiled
template <class F>
__global__ void each(F f) {
    f(threadIdx.x);
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    int scale = 2;
    each<<<1, 32>>>([&scale, x] __device__(int i) { x[i] = scale * i; });
    cudaFree(x);
}
