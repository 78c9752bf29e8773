#pragma once
// 8-bit floating-point numbers. CUDA Math API, "FP8 Intrinsics".
#include "tilereel/tiny_type.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace tilereel::runtime {
inline unsigned to_fp8(double value, __nv_fp8_interpretation_t kind, __nv_saturation_t saturates) {
    return to_tiny(value, kind == __NV_E4M3 ? kE4M3 : kE5M2, saturates == __NV_SATFINITE);
}
inline float from_fp8(unsigned code, __nv_fp8_interpretation_t kind) {
    return from_tiny(code, kind == __NV_E4M3 ? kE4M3 : kE5M2);
}
inline unsigned to_e4m3(double value) { return to_tiny(value, kE4M3, true); }
inline unsigned to_e5m2(double value) { return to_tiny(value, kE5M2, true); }
inline unsigned to_e8m0(double value) { return to_scale(value, true, TinyRounding::kUp); }
inline float from_e4m3(unsigned code) { return from_tiny(code, kE4M3); }
inline float from_e5m2(unsigned code) { return from_tiny(code, kE5M2); }
}  // namespace tilereel::runtime

TILEREEL_TINY_CONVERSIONS(fp8, __nv_fp8_storage_t, __nv_fp8x2_storage_t, 8,
                          __nv_fp8_interpretation_t, tilereel::runtime::to_fp8,
                          tilereel::runtime::from_fp8,
                          TILEREEL_COMMA const __nv_saturation_t saturate, , saturate)
TILEREEL_TINY_NUMBER(__nv_fp8_e4m3, __nv_fp8_storage_t, tilereel::runtime::to_e4m3,
                     tilereel::runtime::from_e4m3)
TILEREEL_TINY_VECTORS(__nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __nv_fp8x2_storage_t, __nv_fp8x4_storage_t,
                      8, tilereel::runtime::to_e4m3, tilereel::runtime::from_e4m3)
TILEREEL_TINY_NUMBER(__nv_fp8_e5m2, __nv_fp8_storage_t, tilereel::runtime::to_e5m2,
                     tilereel::runtime::from_e5m2)
TILEREEL_TINY_VECTORS(__nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __nv_fp8x2_storage_t, __nv_fp8x4_storage_t,
                      8, tilereel::runtime::to_e5m2, tilereel::runtime::from_e5m2)
// Scaling factors: powers of two.
TILEREEL_TINY_NUMBER(__nv_fp8_e8m0, __nv_fp8_storage_t, tilereel::runtime::to_e8m0,
                     tilereel::runtime::from_scale)
TILEREEL_TINY_VECTORS(__nv_fp8x2_e8m0, __nv_fp8x4_e8m0, __nv_fp8x2_storage_t, __nv_fp8x4_storage_t,
                      8, tilereel::runtime::to_e8m0, tilereel::runtime::from_scale)
#define TILEREEL_TO_SCALE(name, From, value)                                                \
    TILEREEL_MATH __nv_fp8_storage_t name(const From x, const __nv_saturation_t saturate,   \
                                          const enum cudaRoundMode rounding) {              \
        return __nv_fp8_storage_t(tilereel::runtime::to_scale(                              \
            value, saturate == __NV_SATFINITE, tilereel::runtime::TinyRounding(rounding))); \
    }
#define TILEREEL_TO_SCALES(name, of_one, From, One)                                         \
    TILEREEL_MATH __nv_fp8x2_storage_t name(const From x, const __nv_saturation_t saturate, \
                                            const enum cudaRoundMode rounding) {            \
        return __nv_fp8x2_storage_t(of_one(One{x.x}, saturate, rounding) |                  \
                                    of_one(One{x.y}, saturate, rounding) << 8);             \
    }
TILEREEL_TO_SCALE(__nv_cvt_float_to_e8m0, float, x)
TILEREEL_TO_SCALE(__nv_cvt_double_to_e8m0, double, x)
TILEREEL_TO_SCALE(__nv_cvt_bfloat16raw_to_e8m0, __nv_bfloat16_raw, tilereel::runtime::raw_float(x))
TILEREEL_TO_SCALES(__nv_cvt_float2_to_e8m0x2, __nv_cvt_float_to_e8m0, float2, float)
TILEREEL_TO_SCALES(__nv_cvt_double2_to_e8m0x2, __nv_cvt_double_to_e8m0, double2, double)
TILEREEL_TO_SCALES(__nv_cvt_bfloat162raw_to_e8m0x2, __nv_cvt_bfloat16raw_to_e8m0,
                   __nv_bfloat162_raw, __nv_bfloat16_raw)
#undef TILEREEL_TO_SCALE
#undef TILEREEL_TO_SCALES
TILEREEL_MATH __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
    return __nv_bfloat16_raw{tilereel::runtime::float_to_bfloat(tilereel::runtime::from_scale(x))};
}
TILEREEL_MATH __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x) {
    return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t(x & 255)).x,
                              __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t(x >> 8)).x};
}
