// says: Thread 0 of block 0 divides the least integer by -1, on line 13
// ends: exit 0
// kind: other
#include <climits>
// Divisors of every width, in registers and in memory. Each statement divides by 0 or overflows; the
// thread goes on behind it.
template <class T>
__device__ void divide(T a, T b, const T* in, T* out) {
    out[0] = a / b;
    out[1] = a % b;
    out[2] = a / in[threadIdx.x];
    out[3] = in[threadIdx.x + 1] / in[threadIdx.x];
    out[4] = T(LLONG_MIN >> (64 - 8 * sizeof(T))) / (b - T(1));
    out[5] = 42;
}
__global__ void all(long long* l, int* i, unsigned* u, short* s, unsigned char* c, int zero) {
    divide<long long>(7, zero, l, l + 2);
    divide<int>(7, zero, i, i + 2);
    divide<unsigned>(7, zero, u, u + 2);
    divide<short>(7, zero, s, s + 2);
    divide<unsigned char>(7, zero, c, c + 2);
    __shared__ int shared[64];
    shared[threadIdx.x] = zero;
    i[8] = i[7] / shared[threadIdx.x];
}
template <class T>
int check(const char* from) {
    T host[8];
    cudaMemcpy(host, from, sizeof host, cudaMemcpyDeviceToHost);
    return host[7] != 42;
}
int main() {
    char* x;
    cudaMalloc(&x, 5 * 256);
    cudaMemset(x, 0, 5 * 256);
    all<<<1, 1>>>((long long*)x, (int*)(x + 256), (unsigned*)(x + 512), (short*)(x + 768),
                  (unsigned char*)(x + 1024), 0);
    int failed = cudaDeviceSynchronize() != cudaSuccess;
    failed += check<long long>(x) + check<int>(x + 256) + check<unsigned>(x + 512) +
              check<short>(x + 768) + check<unsigned char>(x + 1024);
    cudaFree(x);
    return failed;
}
