// says: 2 allocations are not freed: 384 bytes, the first allocated on line 6
// ends: exit 0
// kind: not freed
int main() {
    float *a, *b;
    cudaMalloc(&a, 128);
    cudaMallocManaged(&b, 256);
}
