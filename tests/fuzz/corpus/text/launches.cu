#include "size.h"
#  include <cufft.h>  // not taken
template <int N, class T>
__global__ void __launch_bounds__(256, 2) scale(const T* in, T (&x)[N], int n = f(1, 2)) {
    extern __shared__ float s[];
    __shared__ alignas(16) int t[4];
#if __CUDA_ARCH__ >= 700
    asm("mov.u32 %0, %laneid;" : "=r"(n));
#elif defined(X)
#endif
}
// tilereel: launch scale<4, float> grid=4x2 block=256 in[16][N]=random x[N]=i*2 n=1'000
struct S { __host__ __device__ float operator()(float v) const { return v; } };
int main() {
    auto s = R"x(k<<<1, 2>>>() )" )x"; char c = '"'; int big = 1'000'000;
    ns::scale<4, float> <<<dim3(1, 2), (n >> 3), s, t>> >(a, b);
    table[i]<<<f<A<int>>(n), b>>>(x);
    cudaFuncSetAttribute((const void*)scale<4, float>, 1, reinterpret_cast<void*>(&scale));
}
