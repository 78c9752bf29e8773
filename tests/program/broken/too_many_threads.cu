// says: A block of 2048 x 1 x 1 has 2048 threads; compute capability 9.0 runs at most 1024
// ends: exit 9
__global__ void k() {}
int main() {
    k<<<1, 2048>>>();
    return cudaGetLastError();
}
