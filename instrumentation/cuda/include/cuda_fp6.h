#pragma once
// 6-bit floating-point numbers, each in a byte. CUDA Math API, "FP6 Intrinsics".
#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

namespace tilereel::runtime {
inline unsigned to_fp6(double value, __nv_fp6_interpretation_t kind, cudaRoundMode rounding) {
    return to_tiny(value, kind == __NV_E2M3 ? kE2M3 : kE3M2, true, TinyRounding(rounding));
}
inline float from_fp6(unsigned code, __nv_fp6_interpretation_t kind) {
    return from_tiny(code, kind == __NV_E2M3 ? kE2M3 : kE3M2);
}
inline unsigned to_e2m3(double value) { return to_tiny(value, kE2M3, true); }
inline unsigned to_e3m2(double value) { return to_tiny(value, kE3M2, true); }
inline float from_e2m3(unsigned code) { return from_tiny(code, kE2M3); }
inline float from_e3m2(unsigned code) { return from_tiny(code, kE3M2); }
}  // namespace tilereel::runtime

TILEREEL_TINY_CONVERSIONS(fp6, __nv_fp6_storage_t, __nv_fp6x2_storage_t, 8,
                          __nv_fp6_interpretation_t, tilereel::runtime::to_fp6,
                          tilereel::runtime::from_fp6, ,
                          TILEREEL_COMMA const enum cudaRoundMode rounding, rounding)
TILEREEL_TINY_NUMBER(__nv_fp6_e2m3, __nv_fp6_storage_t, tilereel::runtime::to_e2m3,
                     tilereel::runtime::from_e2m3)
TILEREEL_TINY_VECTORS(__nv_fp6x2_e2m3, __nv_fp6x4_e2m3, __nv_fp6x2_storage_t, __nv_fp6x4_storage_t,
                      8, tilereel::runtime::to_e2m3, tilereel::runtime::from_e2m3)
TILEREEL_TINY_NUMBER(__nv_fp6_e3m2, __nv_fp6_storage_t, tilereel::runtime::to_e3m2,
                     tilereel::runtime::from_e3m2)
TILEREEL_TINY_VECTORS(__nv_fp6x2_e3m2, __nv_fp6x4_e3m2, __nv_fp6x2_storage_t, __nv_fp6x4_storage_t,
                      8, tilereel::runtime::to_e3m2, tilereel::runtime::from_e3m2)
