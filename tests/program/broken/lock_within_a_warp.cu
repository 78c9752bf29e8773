// says: A kernel did not end in time; a thread was on line 5
// ends: time
// test: --seconds 0.6
__global__ void locked(int* lock, int* x) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *x += 1;
    __syncwarp();
    atomicExch(lock, 0);
}
int main() {
    int* x;
    cudaMalloc(&x, 8);
    cudaMemset(x, 0, 8);
    locked<<<1, 32>>>(x, x + 1);
    cudaDeviceSynchronize();
}
