// says: Thread 1 of block 0 reads 2 bytes of bytes at byte 1, which is not a multiple of 2, on line 8
// ends: exit 0
// kind: misaligned
__global__ void pairs(short* out) {
    __shared__ char bytes[33];
    bytes[threadIdx.x] = bytes[threadIdx.x + 1] = 1;
    __syncthreads();
    out[threadIdx.x] = *(short*)(bytes + threadIdx.x);
}
int main() {
    short* x;
    cudaMalloc(&x, 64);
    pairs<<<1, 32>>>(x);
    return cudaDeviceSynchronize() != cudaErrorMisalignedAddress;
}
