// Mathematical functions, intrinsics, conversions and their rounding.
#include <cmath>

#include "check.h"

__global__ void functions(float* f, double* d, int* n) {
    f[0] = rsqrtf(4.0f);
    f[1] = __fdividef(3.0f, 4.0f);
    f[2] = __expf(0.0f) + __logf(1.0f) + __powf(2.0f, 3.0f);
    f[3] = __saturatef(1.5f) + __saturatef(-2.0f);
    f[4] = fmaf(2.0f, 3.0f, 4.0f) + __fmaf_rn(1.0f, 2.0f, 3.0f);
    f[5] = fminf(1.0f, 2.0f) + max(3.0f, 4.0f) + fabsf(-1.0f);
    f[6] = sinpif(0.5f) + cospif(1.0f) + hypotf(3.0f, 4.0f) + cbrtf(27.0f);
    f[7] = __int_as_float(0x40490fdb);
    f[8] = truncf(2.7f) + rintf(2.5f) + floorf(-0.5f) + roundf(2.5f) + copysignf(3.0f, -1.0f);
    float s, c;
    sincosf(0.0f, &s, &c);
    f[9] = s + 2 * c + exp2f(3.0f) + log2f(8.0f) + norm3df(1, 2, 2);
    f[10] = __fadd_rn(1.0f, 2.0f) * __fmul_rn(2.0f, 3.0f) + __frcp_rn(4.0f) + __fsqrt_rn(9.0f);
    d[0] = rsqrt(16.0) + fma(2.0, 3.0, 4.0) + sqrt(2.25) + pow(2.0, 10.0);
    d[1] = __hiloint2double(__double2hiint(1.25), __double2loint(1.25));
    d[2] = erf(0.0) + tgamma(5.0) + lgamma(1.0) + fmod(7.5, 2.0) + ldexp(1.0, 4);
    n[0] = __float2int_rn(2.5f);
    n[1] = __float2int_rz(-2.5f);
    n[2] = __float2int_ru(2.1f);
    n[3] = __float2int_rd(-2.1f);
    n[4] = __float2int_rn(1e20f);  // the largest
    n[5] = int(__float2uint_rn(-3.0f));
    n[6] = __double2int_rn(3.5);
    n[7] = __float_as_int(1.0f);
    n[8] = isnan(NAN) + 2 * isinf(INFINITY) + 4 * signbit(-0.0f);
}

int main() {
    float* f;
    double* d;
    int* n;
    cudaMallocManaged(&f, 11 * sizeof *f);
    cudaMallocManaged(&d, 3 * sizeof *d);
    cudaMallocManaged(&n, 9 * sizeof *n);
    functions<<<1, 1>>>(f, d, n);
    cudaDeviceSynchronize();
    const float wanted[11] = {
        0.5f,          0.75f,         9, 1, 15, 6, 1 - 1 + 5 + 3, 3.14159274f, 2 + 2 - 1 + 3 - 3,
        2 + 8 + 3 + 3, 18 + 0.25f + 3};
    for (int i = 0; i < 11; ++i) CHECK(std::fabs(f[i] - wanted[i]) < 2e-6f);
    CHECK(d[0] == 0.25 + 10 + 1.5 + 1024 && d[1] == 1.25);
    CHECK(std::fabs(d[2] - (24 + 1.5 + 16)) < 1e-12);
    const int whole[9] = {2, -2, 3, -3, 0x7fffffff, 0, 4, 0x3f800000, 7};
    for (int i = 0; i < 9; ++i) CHECK(n[i] == whole[i]);
    cudaFree(f);
    cudaFree(d);
    cudaFree(n);
    return failures;
}
