// says: Thread 0 of block 0 has a stack overflow
// ends: exit 0
template <int N>
__device__ int use(const int* x) {
    volatile int array[50000];
    array[x[0]] = N;
    if constexpr (N > 0) array[x[1]] = array[x[1]] + use<N - 1>(x);
    return array[x[2]];
}
__global__ void k(int* x) { x[threadIdx.x] = use<20>(x); }
int main() {
    int* x;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    k<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
