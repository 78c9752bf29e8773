// says: A kernel did not end in time; a thread was on line
// ends: time
// test: --seconds 0.6
// A loop of barriers, which no hook of an access interrupts.
__global__ void wait_for_ever() {
    while (true) __syncthreads();
}
int main() {
    wait_for_ever<<<1, 64>>>();
    cudaDeviceSynchronize();
}
