// says: Thread 0 of block 0 reads 8 bytes of an array, at an address that is not a multiple of 8, on line 7
// ends: exit 0
// kind: misaligned
__global__ void shifted(long long* out, int i) {
    char bytes[28];
    for (int j = 0; j < 28; ++j) bytes[j] = j;
    out[threadIdx.x] = *(long long*)(bytes + i);
}
int main() {
    long long* x;
    cudaMalloc(&x, 128);
    shifted<<<1, 1>>>(x, 8);
    const int failed = cudaDeviceSynchronize() != cudaSuccess;
    shifted<<<1, 1>>>(x, 12);
    return failed + (cudaDeviceSynchronize() != cudaErrorMisalignedAddress);
}
