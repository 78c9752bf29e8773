// says: expected ‘;’
// ends: not compiled
__global__ void k(int* x) {
    x[threadIdx.x] = 1
}
int main() { k<<<1, 1>>>(nullptr); }
