// Integers of every size, and their intrinsics.
#include <climits>

#include "check.h"

template <class T>
__global__ void wrap(T* x) {
    x[threadIdx.x] = T(x[threadIdx.x] * 3 + 1);
}
template <class T>
void check_wrapping() {
    T* x;
    cudaMallocManaged(&x, 32 * sizeof *x);
    for (int i = 0; i < 32; ++i) x[i] = T(~T(0) / 2 - i);
    wrap<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) CHECK(x[i] == T(T(~T(0) / 2 - i) * 3 + 1));
    cudaFree(x);
}
__global__ void intrinsics(unsigned* r, unsigned long long* w) {
    r[0] = __popc(0xf0f0u);
    r[1] = __clz(1);
    r[2] = __ffs(8);
    r[3] = __brev(1u);
    r[4] = __umulhi(0x80000000u, 6u);
    r[5] = __byte_perm(0x33221100u, 0x77665544u, 0x7520u);
    r[6] = __funnelshift_l(0x80000000u, 1u, 1);
    r[7] = __sad(-3, 4, 10u);
    r[8] = __dp4a(0x01020304, 0x01010101, 5);
    r[9] = __mul24(3, -5) + 100;
    r[10] = min(7u, 9u) + max(-3, -5);
    r[11] = __popcll(~0ull) + __clzll(1ll) + __ffsll(0ll);
    r[12] = __hadd(INT_MAX, INT_MAX - 2) == INT_MAX - 1;
    w[0] = __umul64hi(1ull << 63, 6ull);
    w[1] = __brevll(1ull);
}

int main() {
    check_wrapping<signed char>();
    check_wrapping<unsigned char>();
    check_wrapping<__int128>();
    check_wrapping<unsigned __int128>();
    check_wrapping<short>();
    check_wrapping<unsigned short>();
    check_wrapping<unsigned>();
    check_wrapping<unsigned long>();
    check_wrapping<unsigned long long>();
    unsigned* r;
    unsigned long long* w;
    cudaMallocManaged(&r, 13 * sizeof *r);
    cudaMallocManaged(&w, 2 * sizeof *w);
    intrinsics<<<1, 1>>>(r, w);
    cudaDeviceSynchronize();
    const unsigned wanted[13] = {8, 31, 4, 0x80000000u, 3, 0x77552200u, 3, 17, 15, 85, 4, 127, 1};
    for (int i = 0; i < 13; ++i) CHECK(r[i] == wanted[i]);
    CHECK(w[0] == 3 && w[1] == 1ull << 63);
    cudaFree(r);
    cudaFree(w);
    return failures;
}
