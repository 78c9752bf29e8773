// says: Thread 0 of block 0 writes 4 bytes of word at byte 1, which is not a multiple of 4, on line 5
// ends: exit 0
// kind: misaligned
__device__ int word;
__global__ void odd() { *(int*)((char*)&word + 1) = 7; }
int main() {
    odd<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaErrorMisalignedAddress;
}
