// says: The kernel never ran: an earlier error remains (device-side assert triggered)
// ends: exit 0
// kind: never ran
__global__ void first(const int* x) { assert(x[threadIdx.x] == 1); }
__global__ void second(int* x) { x[threadIdx.x] = 2; }
int main() {
    int* x;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    first<<<1, 32>>>(x);
    second<<<1, 32>>>(x);
    cudaDeviceSynchronize();
}
