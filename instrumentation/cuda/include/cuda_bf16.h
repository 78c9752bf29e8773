#pragma once
// bfloat16. CUDA Math API, "Bfloat16 Precision Intrinsics".
#include "cuda_runtime.h"
#include "tilereel/math.h"
#include "tilereel/small_float.h"

TILEREEL_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, __nv_bfloat162_raw,
                     bfloat_to_float, float_to_bfloat)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

TILEREEL_SMALL_INTEGERS(__nv_bfloat16, __bfloat16, bfloat16)
TILEREEL_MATH float __bfloat162float(__nv_bfloat16 a) { return float(a); }
TILEREEL_MATH __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
TILEREEL_MATH __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
TILEREEL_MATH __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16(a); }
TILEREEL_MATH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
TILEREEL_MATH __nv_bfloat162 __float2bfloat162_rn(float a) { return __floats2bfloat162_rn(a, a); }
TILEREEL_MATH float2 __bfloat1622float2(__nv_bfloat162 a) { return float2{float(a.x), float(a.y)}; }
TILEREEL_MATH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __nv_bfloat162(a, b);
}
TILEREEL_MATH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
TILEREEL_MATH float __low2float(__nv_bfloat162 a) { return float(a.x); }
TILEREEL_MATH float __high2float(__nv_bfloat162 a) { return float(a.y); }
TILEREEL_MATH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
TILEREEL_MATH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
TILEREEL_MATH unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
TILEREEL_MATH __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) {
    return __nv_bfloat16(__nv_bfloat16_raw{a});
}
TILEREEL_MATH short __bfloat16_as_short(__nv_bfloat16 a) { return short(a.__x); }
TILEREEL_MATH __nv_bfloat16 __short_as_bfloat16(short a) {
    return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)a});
}
TILEREEL_MATH __nv_bfloat162 __float22bfloat162_rn(float2 a) {
    return __floats2bfloat162_rn(a.x, a.y);
}
TILEREEL_MATH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
TILEREEL_MATH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
TILEREEL_MATH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) {
    return __nv_bfloat162(a.y, a.x);
}
TILEREEL_MATH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __nv_bfloat162(a, b);
}
