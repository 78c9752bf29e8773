// Inline PTX: floating-point arithmetic of every type, rounding, and conversions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>

#include "check.h"

__global__ void floats(float* out, float a, float b) {
    asm("add.rn.f32 %0, %1, %2;" : "=f"(out[0]) : "f"(a), "f"(b));
    asm("mul.rz.f32 %0, %1, %2;" : "=f"(out[1]) : "f"(a), "f"(b));
    asm("add.rp.f32 %0, %1, 0f00800000;" : "=f"(out[2]) : "f"(1.0f));
    asm("add.rm.f32 %0, %1, 0f00800000;" : "=f"(out[3]) : "f"(1.0f));
    asm("fma.rn.f32 %0, %1, %2, %1;" : "=f"(out[4]) : "f"(a), "f"(b));
    asm("add.sat.f32 %0, %1, %2;" : "=f"(out[5]) : "f"(a), "f"(b));
    asm("min.f32 %0, %1, %2;" : "=f"(out[6]) : "f"(NAN), "f"(b));
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(out[7]) : "f"(NAN), "f"(b));
    asm("ex2.approx.f32 %0, 3.0;" : "=f"(out[8]));
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(out[9]) : "f"(32.0f));
    asm("rcp.rn.f32 %0, %1;" : "=f"(out[10]) : "f"(4.0f));
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(out[11]) : "f"(16.0f));
    asm("sqrt.rn.f32 %0, %1;" : "=f"(out[12]) : "f"(2.0f));
    asm("mul.ftz.f32 %0, %1, %2;" : "=f"(out[13]) : "f"(1e-38f), "f"(0.1f));
    asm("neg.f32 %0, %1;" : "=f"(out[14]) : "f"(a));
    asm("copysign.f32 %0, %1, %2;" : "=f"(out[15]) : "f"(-1.0f), "f"(b));
    asm("tanh.approx.f32 %0, %1;" : "=f"(out[16]) : "f"(0.0f));
    asm("div.full.f32 %0, %1, %2;" : "=f"(out[17]) : "f"(1.0f), "f"(8.0f));
}
__global__ void doubles(double* out, double a) {
    asm("fma.rn.f64 %0, %1, %1, 0d3FF0000000000000;" : "=d"(out[0]) : "d"(a));
    asm("cvt.f64.f32 %0, %1;" : "=d"(out[1]) : "f"(0.1f));
    asm("cvt.rn.f64.s64 %0, %1;" : "=d"(out[2]) : "l"(-5ll));
}
__global__ void conversions(int* out, float x) {
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(out[0]) : "f"(-2.7f));
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(out[1]) : "f"(2.5f));
    asm("cvt.rpi.u32.f32 %0, %1;" : "=r"(out[2]) : "f"(2.1f));
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(out[3]) : "f"(1e20f));
    asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(out[4]) : "f"(-1.0f));
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(out[5]) : "r"(300));
    asm("cvt.s8.s32 %0, %1;" : "=r"(out[6]) : "r"(200));
    asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(out[7]) : "r"(300), "r"(-5), "r"(0x1234));
    float tf32;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(out[8]) : "f"(1.00048828125f));  // a tie: away from 0
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(out[9]) : "f"(2.0f), "f"(1.0f));
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(out[10]) : "f"(2.0f), "f"(1.0f));
    short half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(65536.0f));
    out[11] = (unsigned short)half;
    asm("cvt.f32.f16 %0, %1;" : "=f"(tf32) : "h"((short)0x3c01));
    out[12] = __float_as_int(tf32);
    short bytes;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(bytes) : "f"(1000.0f), "f"(1.0f));
    out[13] = (unsigned short)bytes;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(out[14]) : "h"(bytes));
    asm("cvt.rn.f32.u32 %0, %1;" : "=f"(tf32) : "r"(0xffffffffu));
    out[15] = __float_as_int(tf32);
}
// TF32 of the same number in each rounding.
__global__ void tf32(uint32_t* out, uint32_t bits) {
    const float x = __int_as_float(bits);
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(out[0]) : "f"(x));
    asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(out[1]) : "f"(x));
    asm("cvt.rz.tf32.f32 %0, %1;" : "=r"(out[2]) : "f"(x));
}
__global__ void halves(uint32_t* out, uint32_t a, uint32_t b) {
    asm("add.f16x2 %0, %1, %2;" : "=r"(out[0]) : "r"(a), "r"(b));
    asm("fma.rn.f16x2 %0, %1, %2, %1;" : "=r"(out[1]) : "r"(a), "r"(b));
    asm("fma.rn.relu.f16x2 %0, %1, %2, %1;" : "=r"(out[2]) : "r"(a), "r"(b));
    asm("max.f16x2 %0, %1, %2;" : "=r"(out[3]) : "r"(a), "r"(b));
    asm("mul.rn.bf16x2 %0, %1, %2;" : "=r"(out[4]) : "r"(0x40003f80u), "r"(0x40404040u));
    asm("{.reg .pred p, q; setp.lt.f16x2 p|q, %1, %2; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2;}"
        : "=r"(out[5])
        : "r"(a), "r"(b));
}

int main() {
    float* f;
    cudaMallocManaged(&f, 256);
    floats<<<1, 1>>>(f, 1.5f, 0.1f);
    cudaDeviceSynchronize();
    CHECK(f[0] == 1.5f + 0.1f);
    CHECK(f[1] <= 1.5f * 0.1f && 1.5 * double(0.1f) - f[1] < 2e-8 && f[1] <= 1.5 * double(0.1f));
    CHECK(f[2] == std::nextafter(1.0f, 2.0f) && f[3] == 1.0f);
    CHECK(f[4] == std::fma(1.5f, 0.1f, 1.5f));
    CHECK(f[5] == 1.0f);
    CHECK(f[6] == 0.1f && std::isnan(f[7]));
    CHECK(f[8] == 8 && f[9] == 5 && f[10] == 0.25f && f[11] == 0.25f);
    CHECK(f[12] == std::sqrt(2.0f));
    CHECK(f[13] == 0 && f[14] == -1.5f && f[15] == -0.1f && f[16] == 0 && f[17] == 0.125f);
    double* d;
    cudaMallocManaged(&d, 256);
    doubles<<<1, 1>>>(d, 1.1);
    cudaDeviceSynchronize();
    CHECK(d[0] == std::fma(1.1, 1.1, 1.0) && d[1] == double(0.1f) && d[2] == -5);
    int* i;
    cudaMallocManaged(&i, 256);
    conversions<<<1, 1>>>(i, 1.0f);
    cudaDeviceSynchronize();
    CHECK(i[0] == -2 && i[1] == 2 && i[2] == 3);
    CHECK(i[3] == 0x7fffffff && i[4] == 0);
    CHECK(i[5] == 127 && i[6] == -56);
    CHECK((unsigned)i[7] == 0x12347ffbu);
    CHECK(i[8] == 0x3f802000);
    CHECK(i[9] == 0x40003c00 && i[10] == 0x40003f80);
    CHECK(i[11] == 0x7c00 && i[12] == 0x3f802000);
    CHECK(i[13] == 0x7e38 && i[14] == 0x5f003c00);
    CHECK(i[15] == 0x4f800000);
    uint32_t* h;
    cudaMallocManaged(&h, 256);
    halves<<<1, 1>>>(h, 0xc0003c00, 0x40003800);  // {1, -2} and {0.5, 2}
    cudaDeviceSynchronize();
    CHECK(h[0] == 0x00003e00);
    CHECK(h[1] == 0xc6003e00 && h[2] == 0x00003e00);
    CHECK(h[3] == 0x40003c00);
    CHECK(h[4] == 0x40c04040);
    CHECK(h[5] == 2);
    // Numbers, ties, the largest one, infinities and NaN.
    const uint32_t cases[][4] = {{0x3f801000, 0x3f802000, 0x3f800000, 0x3f800000},
                                 {0x3f803000, 0x3f804000, 0x3f804000, 0x3f802000},
                                 {0x3f801001, 0x3f802000, 0x3f802000, 0x3f800000},
                                 {0x7f7fffff, 0x7f800000, 0x7f800000, 0x7f7fe000},
                                 {0xff800000, 0xff800000, 0xff800000, 0xff800000},
                                 {0x7f800001, 0x7f800000, 0x7fffe000, 0x7fffe000},
                                 {0xffffffff, 0xffffe000, 0x7fffe000, 0x7fffe000},
                                 {0x00001001, 0x00002000, 0x00002000, 0x00000000}};
    for (const auto& each : cases) {
        tf32<<<1, 1>>>(h, each[0]);
        cudaDeviceSynchronize();
        CHECK(h[0] == each[1] && h[1] == each[2] && h[2] == each[3]);
    }
    cudaFree(f), cudaFree(d), cudaFree(i), cudaFree(h);
    return failures;
}
