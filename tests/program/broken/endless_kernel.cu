// says: A kernel did not end in time; a thread was on line 5
// ends: time
// test: --seconds 0.6
__global__ void spin(volatile int* flag) {
    while (flag[0] == 0) {
    }
}
int main() {
    int* flag;
    cudaMalloc(&flag, 4);
    cudaMemset(flag, 0, 4);
    spin<<<1, 32>>>(flag);
    cudaDeviceSynchronize();
}
