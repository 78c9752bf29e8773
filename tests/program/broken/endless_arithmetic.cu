// says: A kernel did not end in time; a thread was on line
// ends: time
// test: --seconds 0.6
// A loop without an access to memory.
__global__ void collatz(int* steps, unsigned from) {
    unsigned n = from + threadIdx.x, count = 0;
    while (n != 0) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        ++count;
    }
    steps[threadIdx.x] = count;
}
int main() {
    int* steps;
    cudaMalloc(&steps, 128);
    collatz<<<1, 32>>>(steps, 1);
    cudaDeviceSynchronize();
}
