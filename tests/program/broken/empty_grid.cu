// says: The grid is 0 x 1 x 1 blocks of 256 x 1 x 1 threads: an extent is 0
// ends: exit 9
__global__ void k() {}
int main() {
    const int n = 100;
    k<<<n / 256, 256>>>();
    return cudaGetLastError();
}
