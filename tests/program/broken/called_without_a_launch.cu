// says: A kernel is called without <<<grid, block>>>: k, on line 7.
// ends: exit 1
__global__ void k(int* x) { x[0] = 1; }
int main() {
    int* x;
    cudaMallocManaged(&x, 4);
    k(x);
}
