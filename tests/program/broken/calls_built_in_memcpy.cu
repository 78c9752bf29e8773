// says: Thread 0 of block 0 calls __builtin_memcpy(), whose accesses are not counted, on line 5.
// ends: exit 0
// kind: other
__global__ void copy(const int* from, int* to, int bytes) {
    if (threadIdx.x == 0) __builtin_memcpy(to, from, bytes);
}
int main() {
    int *from, *to;
    cudaMalloc(&from, 128);
    cudaMalloc(&to, 128);
    cudaMemset(from, 0, 128);
    copy<<<1, 32>>>(from, to, 128);
    cudaFree(from);
    cudaFree(to);
}
