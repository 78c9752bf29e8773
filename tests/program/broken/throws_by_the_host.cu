// says: Thread 3 of block 0 ends the program with abort(), by itself or because of an exception
// ends: exit 0
void fail() { throw 3; }
__host__ __device__ void check(int i) {
    if (i == 3) fail();
}
__global__ void k(int* x) {
    check(threadIdx.x);
    x[threadIdx.x] = 1;
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaDeviceReset();
}
