// says: Thread 16 of block 0 calls __syncwarp as lane 16, which its own mask 0x0000ffff lacks, on line 9.
// kind: other
// ends: exit 0
__global__ void lonely(int* out) {
    __shared__ int part[32];
    unsigned lower = __ballot_sync(0xffffffff, threadIdx.x < 16);
    if (threadIdx.x <= 16) {
        part[threadIdx.x] = threadIdx.x;
        __syncwarp(lower);
        out[threadIdx.x] = part[0];
    }
}
int main() {
    int* out;
    cudaMalloc(&out, 32 * sizeof *out);
    lonely<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
