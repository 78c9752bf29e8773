// says: A grid of 1 x 70000 x 1 is too large: at most 2147483647 x 65535 x 65535
// ends: exit 9
// kind: refused launch
__global__ void k() {}
int main() {
    k<<<dim3(1, 70000), 1>>>();
    return cudaGetLastError();
}
