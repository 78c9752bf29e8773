// __half and __half2: conversions, arithmetic, comparisons, functions.
#include <cuda_fp16.h>

#include "check.h"

__global__ void scalars(const float* in, __half* out, int* facts) {
    const int i = threadIdx.x;
    const __half a = __float2half(in[i]), b = __float2half(0.5f);
    out[i] = __hfma(a, b, __hadd(a, __int2half_rn(1)));
    if (i == 0) {
        facts[0] = __hgt(b, a) + 2 * __heq(a, a) + 4 * __hisnan(a) + 8 * __hlt(a, b);
        facts[1] = __half2int_rz(__float2half(-2.75f));
        facts[2] = __half_as_ushort(hsqrt(__float2half(4.0f)));
        facts[3] = __half_as_ushort(__hmax(a, b) - __hmin(a, b));
        facts[4] = __half_as_ushort(__habs(__hneg(b)));
        facts[5] = __half_as_ushort(__float2half_rz(2049.0f / 2048)) * 65536 +
                   __half_as_ushort(__float2half_ru(2049.0f / 2048));
    }
}
__global__ void pairs(const half2* a, const half2* b, half2* out, float* dot) {
    const int i = threadIdx.x;
    half2 sum = __hfma2(a[i], b[i], __float2half2_rn(1.0f));
    sum = __hmul2(sum, __floats2half2_rn(2.0f, 4.0f));
    out[i] = sum;
    const float2 f = __half22float2(__hadd2(a[i], b[i]));
    dot[i] = f.x + f.y + __low2float(a[i]) - __high2float(b[i]);
}

// Conversions to integers; some are functions of the device only.
__global__ void round(__half x, int* out) {
    out[0] = __half2int_rn(x);
    out[1] = __half2int_rd(x);
    out[2] = int(__half2ull_ru(x));
    out[3] = __half2short_rz(x);
}

int main() {
    float* in;
    __half* out;
    int* facts;
    cudaMallocManaged(&in, 32 * sizeof *in);
    cudaMallocManaged(&out, 32 * sizeof *out);
    cudaMallocManaged(&facts, 6 * sizeof *facts);
    for (int i = 0; i < 32; ++i) in[i] = i * 0.25f;
    scalars<<<1, 32>>>(in, out, facts);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) CHECK(__half2float(out[i]) == i * 0.25f * 1.5f + 1);
    CHECK(facts[0] == 1 + 2 + 8);
    CHECK(facts[1] == -2);
    CHECK(facts[2] == 0x4000);                                          // 2
    CHECK(facts[3] == 0x3800);                                          // 0.5
    CHECK(facts[4] == 0x3800);                                          // 0.5
    CHECK(facts[5] == 0x3c00 * 65536 + 0x3c01);                         // 1 and the next number
    CHECK(__half2float(__float2half(65520.0f)) > 65504.0f);             // infinity
    CHECK(__half2float(__float2half(5.9604645e-8f)) == 5.9604645e-8f);  // the smallest

    half2 *a, *b, *c;
    float* dot;
    cudaMallocManaged(&a, 32 * sizeof *a);
    cudaMallocManaged(&b, 32 * sizeof *b);
    cudaMallocManaged(&c, 32 * sizeof *c);
    cudaMallocManaged(&dot, 32 * sizeof *dot);
    for (int i = 0; i < 32; ++i) {
        a[i] = __floats2half2_rn(i, i + 1);
        b[i] = __half2half2(__float2half(0.5f));
    }
    pairs<<<1, 32>>>(a, b, c, dot);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) {
        CHECK(__low2float(c[i]) == (i * 0.5f + 1) * 2 &&
              __high2float(c[i]) == (i * 0.5f + 1.5f) * 4);
        CHECK(dot[i] == 2 * i + 1 + 1 + i - 0.5f);
    }
    for (void* p : {(void*)in, (void*)out, (void*)facts, (void*)a, (void*)b, (void*)c, (void*)dot})
        cudaFree(p);
    const __half half_way = __float2half(3.5f);
    int* rounded;
    cudaMallocManaged(&rounded, 4 * sizeof *rounded);
    round<<<1, 1>>>(half_way, rounded);
    cudaDeviceSynchronize();
    CHECK(rounded[0] == 4 && rounded[1] == 3 && rounded[2] == 4 && rounded[3] == 3);
    cudaFree(rounded);
    CHECK(float(__short2half_rn(-9)) == -9 && float(__ll2half_rn(2048)) == 2048);
    return failures;
}
