#pragma once
// Half precision. CUDA Math API, "Half Precision Intrinsics".
#include "cuda_runtime.h"
#include "tilereel/math.h"
#include "tilereel/small_float.h"

TILEREEL_SMALL_FLOAT(__half, __half2, __half_raw, __half2_raw, half_to_float, float_to_half)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

TILEREEL_SMALL_INTEGERS(__half, __half, half)
TILEREEL_MATH float __half2float(__half a) { return float(a); }
TILEREEL_MATH __half __float2half(float a) { return __half(a); }
TILEREEL_MATH __half __float2half_rn(float a) { return __half(a); }
TILEREEL_MATH __half __float2half_rz(float a) {
    return __half(__half_raw{tilereel::runtime::float_to_half_towards(a, 0.0f)});
}
TILEREEL_MATH __half __float2half_ru(float a) {
    return __half(__half_raw{tilereel::runtime::float_to_half_towards(a, __builtin_inff())});
}
TILEREEL_MATH __half __float2half_rd(float a) {
    return __half(__half_raw{tilereel::runtime::float_to_half_towards(a, -__builtin_inff())});
}
TILEREEL_MATH __half __double2half(double a) { return __half(a); }
TILEREEL_MATH __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
TILEREEL_MATH __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
TILEREEL_MATH __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
TILEREEL_MATH float2 __half22float2(__half2 a) { return float2{float(a.x), float(a.y)}; }
TILEREEL_MATH __half2 __half2half2(__half a) { return __half2(a, a); }
TILEREEL_MATH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
TILEREEL_MATH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
TILEREEL_MATH __half __low2half(__half2 a) { return a.x; }
TILEREEL_MATH __half __high2half(__half2 a) { return a.y; }
TILEREEL_MATH float __low2float(__half2 a) { return float(a.x); }
TILEREEL_MATH float __high2float(__half2 a) { return float(a.y); }
TILEREEL_MATH __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
TILEREEL_MATH __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
TILEREEL_MATH __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
TILEREEL_MATH unsigned short __half_as_ushort(__half a) { return a.__x; }
TILEREEL_MATH short __half_as_short(__half a) { return short(a.__x); }
TILEREEL_MATH __half __ushort_as_half(unsigned short a) { return __half(__half_raw{a}); }
TILEREEL_MATH __half __short_as_half(short a) { return __half(__half_raw{(unsigned short)a}); }
