// Numbers of 8, 6 and 4 bits: every code, rounding, saturation, conversions in kernels.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cmath>
#include <vector>

#include "check.h"

// The value of a code by its definition: sign, exponent, mantissa.
double value_of(unsigned code, int exponent_bits, int mantissa_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1, magnitude_bits = exponent_bits + mantissa_bits;
    const int exponent = code >> mantissa_bits & ((1 << exponent_bits) - 1);
    const double fraction = double(code & ((1 << mantissa_bits) - 1)) / (1 << mantissa_bits);
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
    return code >> magnitude_bits & 1 ? -magnitude : magnitude;
}
// The code next to a number, by comparing with every finite one. Of two the even one.
unsigned next_code(double x, int exponent_bits, int mantissa_bits, unsigned greatest) {
    unsigned best = 0;
    for (unsigned code = 0; code <= greatest; ++code) {
        const double distance =
            std::fabs(value_of(code, exponent_bits, mantissa_bits) - std::fabs(x));
        const double least = std::fabs(value_of(best, exponent_bits, mantissa_bits) - std::fabs(x));
        if (distance < least || (distance == least && code % 2 == 0)) best = code;
    }
    return std::signbit(x) ? best | 1u << (exponent_bits + mantissa_bits) : best;
}

template <class T>
void check_type(int exponent_bits, int mantissa_bits, unsigned greatest) {
    for (unsigned code = 0; code < 2u << (exponent_bits + mantissa_bits); ++code) {
        T x;
        x.__x = code;
        const unsigned magnitude = code & ((1u << (exponent_bits + mantissa_bits)) - 1);
        if (magnitude > greatest) {
            CHECK(std::isnan(float(x)) || std::isinf(float(x)));
            continue;
        }
        const double value = value_of(code, exponent_bits, mantissa_bits);
        CHECK(double(x) == value && float(x) == float(value) && T(float(x)).__x == code);
        CHECK(int(x) == int(value) && float(__half(x)) == float(value));
    }
    // Numbers on, between and beyond the codes.
    for (int i = -2000; i <= 2000; ++i)
        for (int scale : {-14, -7, 0, 5}) {
            const double x = std::ldexp(i, scale) / 16;
            CHECK(T(x).__x == next_code(x, exponent_bits, mantissa_bits, greatest));
        }
}

__global__ void convert(const float* x, __nv_fp8_e4m3* eight, __nv_fp4x2_storage_t* four,
                        float* back, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    eight[i] = __nv_fp8_e4m3(x[i]);
    if (i % 2 == 0)
        four[i / 2] =
            __nv_cvt_float2_to_fp4x2(make_float2(x[i], x[i + 1]), __NV_E2M1, cudaRoundNearest);
    back[i] = float(eight[i]);
}

int main() {
    check_type<__nv_fp8_e4m3>(4, 3, 0x7e);
    check_type<__nv_fp8_e5m2>(5, 2, 0x7b);
    check_type<__nv_fp6_e3m2>(3, 2, 0x1f);
    check_type<__nv_fp6_e2m3>(2, 3, 0x1f);
    check_type<__nv_fp4_e2m1>(2, 1, 0x07);

    // Beyond the greatest number: saturated, or the code for what does not fit.
    CHECK(__nv_cvt_float_to_fp8(464, __NV_NOSAT, __NV_E4M3) == 0x7e);
    CHECK(__nv_cvt_float_to_fp8(465, __NV_NOSAT, __NV_E4M3) == 0x7f);
    CHECK(__nv_cvt_float_to_fp8(-1000, __NV_SATFINITE, __NV_E4M3) == 0xfe);
    CHECK(__nv_cvt_float_to_fp8(61440, __NV_NOSAT, __NV_E5M2) == 0x7c);
    CHECK(__nv_cvt_float_to_fp8(INFINITY, __NV_SATFINITE, __NV_E5M2) == 0x7b);
    CHECK(__nv_cvt_float_to_fp8(NAN, __NV_SATFINITE, __NV_E4M3) == 0x7f);
    CHECK(__nv_cvt_float_to_fp4(NAN, __NV_E2M1, cudaRoundNearest) == 0x7);
    CHECK(__nv_cvt_fp8_to_halfraw(0x7c, __NV_E5M2).x == 0x7c00);
    // Scales: powers of two.
    CHECK(__nv_cvt_float_to_e8m0(3, __NV_SATFINITE, cudaRoundPosInf) == 129);
    CHECK(__nv_cvt_float_to_e8m0(3, __NV_SATFINITE, cudaRoundZero) == 128);
    CHECK(__nv_cvt_float_to_e8m0(INFINITY, __NV_NOSAT, cudaRoundZero) == 255);
    CHECK(float(__nv_fp8_e8m0(0.25f)) == 0.25f && int(__nv_fp8_e4m3(-3.9f)) == -4);
    const __nv_fp8x4_e5m2 four_tiny(make_float4(1, -2, 0.25f, 1e9f));
    const float4 four_of_them = four_tiny.operator float4();
    CHECK(four_of_them.x == 1 && four_of_them.y == -2 && four_of_them.z == 0.25f &&
          four_of_them.w == 57344);
    CHECK(sizeof(__nv_fp8x4_e4m3) == 4 && sizeof(__nv_fp4x4_e2m1) == 2 &&
          sizeof(__nv_fp4x2_e2m1) == 1);

    const int n = 64;
    std::vector<float> x(n), back(n);
    for (int i = 0; i < n; ++i) x[i] = (i - 20) * 0.37f;
    float *px, *pback;
    __nv_fp8_e4m3* eight;
    __nv_fp4x2_storage_t* four;
    cudaMalloc(&px, n * sizeof(float));
    cudaMalloc(&pback, n * sizeof(float));
    cudaMalloc(&eight, n);
    cudaMalloc(&four, n / 2);
    cudaMemcpy(px, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    convert<<<2, 32>>>(px, eight, four, pback, n);
    cudaMemcpy(back.data(), pback, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::vector<unsigned char> pairs(n / 2);
    cudaMemcpy(pairs.data(), four, n / 2, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        CHECK(back[i] == float(value_of(next_code(x[i], 4, 3, 0x7e), 4, 3)));
        CHECK((pairs[i / 2] >> i % 2 * 4 & 15) == next_code(x[i], 2, 1, 7));
    }
    for (void* pointer : {(void*)px, (void*)pback, (void*)eight, (void*)four}) cudaFree(pointer);
    return failures;
}
