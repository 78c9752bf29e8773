#pragma once
// 4-bit floating-point numbers; two of them share a byte. CUDA Math API, "FP4 Intrinsics".
#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

namespace tilereel::runtime {
inline unsigned to_fp4(double value, __nv_fp4_interpretation_t, cudaRoundMode rounding) {
    return to_tiny(value, kE2M1, true, TinyRounding(rounding));
}
inline float from_fp4(unsigned code, __nv_fp4_interpretation_t) { return from_tiny(code, kE2M1); }
inline unsigned to_e2m1(double value) { return to_tiny(value, kE2M1, true); }
inline float from_e2m1(unsigned code) { return from_tiny(code, kE2M1); }
}  // namespace tilereel::runtime

TILEREEL_TINY_CONVERSIONS(fp4, __nv_fp4_storage_t, __nv_fp4x2_storage_t, 4,
                          __nv_fp4_interpretation_t, tilereel::runtime::to_fp4,
                          tilereel::runtime::from_fp4, ,
                          TILEREEL_COMMA const enum cudaRoundMode rounding, rounding)
TILEREEL_TINY_NUMBER(__nv_fp4_e2m1, __nv_fp4_storage_t, tilereel::runtime::to_e2m1,
                     tilereel::runtime::from_e2m1)
TILEREEL_TINY_VECTORS(__nv_fp4x2_e2m1, __nv_fp4x4_e2m1, __nv_fp4x2_storage_t, __nv_fp4x4_storage_t,
                      4, tilereel::runtime::to_e2m1, tilereel::runtime::from_e2m1)
