// says: the kernel cannot be launched with these arguments
// ends: not compiled
struct S {};
__global__ void k(float* x, int n) { x[n] = 0; }
int main() { k<<<1, 1>>>(S(), 1); }
