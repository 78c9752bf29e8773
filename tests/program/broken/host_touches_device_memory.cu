// says: Host code accesses device memory through a pointer
// ends: signal 11
// kind: host access
int main() {
    float* x;
    cudaMalloc(&x, 128);
    x[0] = 1;
    return 0;
}
