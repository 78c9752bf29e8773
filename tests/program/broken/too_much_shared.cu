// says: The launch asks for 65536 bytes of shared memory a block; it may have 49152
// ends: exit 1
__global__ void k() {
    extern __shared__ float s[];
    s[threadIdx.x] = 0;
}
int main() {
    k<<<1, 32, 64 << 10>>>();
    return cudaGetLastError();
}
