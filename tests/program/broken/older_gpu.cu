// says: has 1024 threads; compute capability 1.3 runs at most 512
// ends: exit 9
// test: --generation 1.3
__global__ void k() {}
int main() {
    k<<<1, dim3(32, 32)>>>();
    return cudaGetLastError();
}
