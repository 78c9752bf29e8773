#pragma once
// CUDA's mathematical functions and integer intrinsics that C++ does not have. CUDA Math API.
#include <math.h>

#include <cmath>
#include <cstring>

#include "tilereel/language.h"
#include "tilereel/runtime_calls.h"

#define TILEREEL_MATH TILEREEL_INLINE
TILEREEL_MATH float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
TILEREEL_MATH double rsqrt(double x) { return 1.0 / std::sqrt(x); }
TILEREEL_MATH float rsqrt(float x) { return rsqrtf(x); }
TILEREEL_MATH float rcbrtf(float x) { return 1.0f / std::cbrt(x); }
TILEREEL_MATH double rcbrt(double x) { return 1.0 / std::cbrt(x); }
TILEREEL_MATH float __saturatef(float x) { return x >= 1.0f ? 1.0f : x > 0.0f ? x : 0.0f; }
TILEREEL_MATH float __fdividef(float x, float y) { return x / y; }
TILEREEL_MATH float fdividef(float x, float y) { return x / y; }
TILEREEL_MATH double fdivide(double x, double y) { return x / y; }
TILEREEL_MATH float __expf(float x) { return std::exp(x); }
TILEREEL_MATH float __exp10f(float x) { return std::pow(10.0f, x); }
TILEREEL_MATH float __logf(float x) { return std::log(x); }
TILEREEL_MATH float __log2f(float x) { return std::log2(x); }
TILEREEL_MATH float __log10f(float x) { return std::log10(x); }
TILEREEL_MATH float __sinf(float x) { return std::sin(x); }
TILEREEL_MATH float __cosf(float x) { return std::cos(x); }
TILEREEL_MATH float __tanf(float x) { return std::tan(x); }
TILEREEL_MATH float __powf(float x, float y) { return std::pow(x, y); }
TILEREEL_MATH void __sincosf(float x, float* s, float* c) { *s = std::sin(x), *c = std::cos(x); }
TILEREEL_MATH float __tanhf(float x) { return std::tanh(x); }
TILEREEL_MATH float sinpif(float x) { return std::sin(x * 3.14159265358979323846f); }
TILEREEL_MATH double sinpi(double x) { return std::sin(x * 3.14159265358979323846); }
TILEREEL_MATH float cospif(float x) { return std::cos(x * 3.14159265358979323846f); }
TILEREEL_MATH double cospi(double x) { return std::cos(x * 3.14159265358979323846); }
TILEREEL_MATH void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
TILEREEL_MATH void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
TILEREEL_MATH float normcdff(float x) { return 0.5f * std::erfc(-x * 0.70710678118654752440f); }
TILEREEL_MATH double normcdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }
TILEREEL_MATH float erfcxf(float x) { return std::exp(x * x) * std::erfc(x); }
TILEREEL_MATH float norm3df(float a, float b, float c) { return std::sqrt(a * a + b * b + c * c); }
TILEREEL_MATH float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
TILEREEL_MATH float rhypotf(float a, float b) { return 1.0f / std::hypot(a, b); }
TILEREEL_MATH float max(float a, float b) { return fmaxf(a, b); }
TILEREEL_MATH float min(float a, float b) { return fminf(a, b); }
TILEREEL_MATH double max(double a, double b) { return fmax(a, b); }
TILEREEL_MATH double min(double a, double b) { return fmin(a, b); }
TILEREEL_MATH double max(float a, double b) { return fmax(a, b); }
TILEREEL_MATH double min(float a, double b) { return fmin(a, b); }
TILEREEL_MATH double max(double a, float b) { return fmax(a, b); }
TILEREEL_MATH double min(double a, float b) { return fmin(a, b); }
#define TILEREEL_MIN_MAX(R, A, B)                                                 \
    constexpr TILEREEL_MATH R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; } \
    constexpr TILEREEL_MATH R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
TILEREEL_MIN_MAX(int, int, int)
TILEREEL_MIN_MAX(unsigned, unsigned, unsigned)
TILEREEL_MIN_MAX(unsigned, int, unsigned)
TILEREEL_MIN_MAX(unsigned, unsigned, int)
TILEREEL_MIN_MAX(long, long, long)
TILEREEL_MIN_MAX(unsigned long, unsigned long, unsigned long)
TILEREEL_MIN_MAX(unsigned long, long, unsigned long)
TILEREEL_MIN_MAX(unsigned long, unsigned long, long)
TILEREEL_MIN_MAX(long long, long long, long long)
TILEREEL_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
TILEREEL_MIN_MAX(unsigned long long, long long, unsigned long long)
TILEREEL_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef TILEREEL_MIN_MAX
TILEREEL_MATH unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
TILEREEL_MATH unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
TILEREEL_MATH long long llmin(long long a, long long b) { return a < b ? a : b; }
TILEREEL_MATH long long llmax(long long a, long long b) { return a > b ? a : b; }

// Rounding modes: all round to nearest even, as g++ does. The result of another mode differs by at
// most one unit in the last place.
#define TILEREEL_ROUNDED(suffix)                                                                   \
    TILEREEL_MATH float __fadd_##suffix(float a, float b) { return a + b; }                        \
    TILEREEL_MATH float __fsub_##suffix(float a, float b) { return a - b; }                        \
    TILEREEL_MATH float __fmul_##suffix(float a, float b) { return a * b; }                        \
    TILEREEL_MATH float __fdiv_##suffix(float a, float b) { return a / b; }                        \
    TILEREEL_MATH float __frcp_##suffix(float a) { return 1.0f / a; }                              \
    TILEREEL_MATH float __fsqrt_##suffix(float a) { return std::sqrt(a); }                         \
    TILEREEL_MATH __attribute__((tilereel_fma)) float __fmaf_##suffix(float a, float b, float c) { \
        return std::fma(a, b, c);                                                                  \
    }                                                                                              \
    TILEREEL_MATH double __dadd_##suffix(double a, double b) { return a + b; }                     \
    TILEREEL_MATH double __dsub_##suffix(double a, double b) { return a - b; }                     \
    TILEREEL_MATH double __dmul_##suffix(double a, double b) { return a * b; }                     \
    TILEREEL_MATH double __ddiv_##suffix(double a, double b) { return a / b; }                     \
    TILEREEL_MATH double __drcp_##suffix(double a) { return 1.0 / a; }                             \
    TILEREEL_MATH double __dsqrt_##suffix(double a) { return std::sqrt(a); }                       \
    TILEREEL_MATH                                                                                  \
    __attribute__((tilereel_fma)) double __fma_##suffix(double a, double b, double c) {            \
        return std::fma(a, b, c);                                                                  \
    }
TILEREEL_ROUNDED(rn)
TILEREEL_ROUNDED(rz)
TILEREEL_ROUNDED(ru)
TILEREEL_ROUNDED(rd)
#undef TILEREEL_ROUNDED
TILEREEL_MATH float __frsqrt_rn(float a) { return 1.0f / std::sqrt(a); }

namespace tilereel::runtime {
template <class To, class From>
To reinterpret(From from) {
    static_assert(sizeof(To) == sizeof(From), "");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
// Values out of range are clamped, and NaN becomes 0 (PTX ISA, cvt).
template <class To, class From>
To saturated(From value) {
    if (value != value) return 0;
    constexpr To kLeast = To(1) << (sizeof(To) * 8 - 1);
    constexpr bool kSigned = To(-1) < To(0);
    constexpr To kMost = kSigned ? To(~kLeast) : To(-1);
    if (value >= From(kMost)) return kMost;
    if (value <= (kSigned ? From(kLeast) : From(0))) return kSigned ? kLeast : To(0);
    return To(value);
}
}  // namespace tilereel::runtime
#define TILEREEL_CONVERT(T, from, To, to)                           \
    TILEREEL_MATH To __##from##2##to##_rn(T x) {                    \
        return tilereel::runtime::saturated<To>(std::nearbyint(x)); \
    }                                                               \
    TILEREEL_MATH To __##from##2##to##_rz(T x) {                    \
        return tilereel::runtime::saturated<To>(std::trunc(x));     \
    }                                                               \
    TILEREEL_MATH To __##from##2##to##_ru(T x) {                    \
        return tilereel::runtime::saturated<To>(std::ceil(x));      \
    }                                                               \
    TILEREEL_MATH To __##from##2##to##_rd(T x) {                    \
        return tilereel::runtime::saturated<To>(std::floor(x));     \
    }
TILEREEL_CONVERT(float, float, int, int)
TILEREEL_CONVERT(float, float, unsigned, uint)
TILEREEL_CONVERT(float, float, long long, ll)
TILEREEL_CONVERT(float, float, unsigned long long, ull)
TILEREEL_CONVERT(double, double, int, int)
TILEREEL_CONVERT(double, double, unsigned, uint)
TILEREEL_CONVERT(double, double, long long, ll)
TILEREEL_CONVERT(double, double, unsigned long long, ull)
#undef TILEREEL_CONVERT
#define TILEREEL_TO_FLOAT(From, from)                                    \
    TILEREEL_MATH float __##from##2float_rn(From x) { return float(x); } \
    TILEREEL_MATH float __##from##2float_rz(From x) { return float(x); } \
    TILEREEL_MATH float __##from##2float_ru(From x) { return float(x); } \
    TILEREEL_MATH float __##from##2float_rd(From x) { return float(x); } \
    TILEREEL_MATH double __##from##2double_rn(From x) { return double(x); }
TILEREEL_TO_FLOAT(int, int)
TILEREEL_TO_FLOAT(unsigned, uint)
TILEREEL_TO_FLOAT(long long, ll)
TILEREEL_TO_FLOAT(unsigned long long, ull)
TILEREEL_TO_FLOAT(double, double)
#undef TILEREEL_TO_FLOAT
TILEREEL_MATH int __float_as_int(float x) { return tilereel::runtime::reinterpret<int>(x); }
TILEREEL_MATH unsigned __float_as_uint(float x) {
    return tilereel::runtime::reinterpret<unsigned>(x);
}
TILEREEL_MATH float __int_as_float(int x) { return tilereel::runtime::reinterpret<float>(x); }
TILEREEL_MATH float __uint_as_float(unsigned x) { return tilereel::runtime::reinterpret<float>(x); }
TILEREEL_MATH long long __double_as_longlong(double x) {
    return tilereel::runtime::reinterpret<long long>(x);
}
TILEREEL_MATH double __longlong_as_double(long long x) {
    return tilereel::runtime::reinterpret<double>(x);
}
TILEREEL_MATH int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
TILEREEL_MATH int __double2loint(double x) { return int(__double_as_longlong(x)); }
TILEREEL_MATH double __hiloint2double(int hi, int lo) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo));
}

TILEREEL_MATH int __popc(unsigned x) { return __builtin_popcount(x); }
TILEREEL_MATH int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
TILEREEL_MATH int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
TILEREEL_MATH int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
TILEREEL_MATH int __ffs(int x) { return __builtin_ffs(x); }
TILEREEL_MATH int __ffsll(long long x) { return __builtin_ffsll(x); }
TILEREEL_MATH unsigned __brev(unsigned x) {
    unsigned result = 0;
    for (int i = 0; i < 32; ++i) result |= (x >> i & 1u) << (31 - i);
    return result;
}
TILEREEL_MATH unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}
TILEREEL_MATH int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
TILEREEL_MATH unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
TILEREEL_MATH int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
TILEREEL_MATH unsigned __umulhi(unsigned a, unsigned b) {
    return unsigned((unsigned long long)a * b >> 32);
}
TILEREEL_MATH long long __mul64hi(long long a, long long b) {
    return (long long)((__int128)a * b >> 64);
}
TILEREEL_MATH unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
TILEREEL_MATH unsigned __sad(int a, int b, unsigned c) {
    return c + unsigned(a > b ? a - b : b - a);
}
TILEREEL_MATH unsigned __usad(unsigned a, unsigned b, unsigned c) {
    return c + (a > b ? a - b : b - a);
}
TILEREEL_MATH int __hadd(int a, int b) { return int(((long long)a + b) >> 1); }
TILEREEL_MATH int __rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }
TILEREEL_MATH unsigned __uhadd(unsigned a, unsigned b) {
    return unsigned(((unsigned long long)a + b) >> 1);
}
TILEREEL_MATH unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
    const unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned selected = s >> 4 * i & 15,
                       byte = unsigned(both >> 8 * (selected & 7)) & 255;
        result |= ((selected & 8) ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
    }
    return result;
}
TILEREEL_MATH unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
    return unsigned((((unsigned long long)hi << 32 | lo) << (shift & 31)) >> 32);
}
TILEREEL_MATH unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
    return unsigned(((unsigned long long)hi << 32 | lo) >> (shift & 31));
}
TILEREEL_MATH int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; ++i) c += (signed char)(a >> 8 * i) * (signed char)(b >> 8 * i);
    return c;
}
TILEREEL_MATH unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
    return c;
}
inline TILEREEL_CALL long long clock64() { return tilereel::runtime::clock_ticks(); }
inline TILEREEL_CALL void __trap() { tilereel::runtime::trap(); }
inline TILEREEL_CALL void __brkpt() {}
TILEREEL_MATH unsigned long long globaltimer_ns() {
    return (unsigned long long)tilereel::runtime::clock_ticks();
}
// CUDA C++ Programming Guide, "Address Space Predicate Functions" and "Address Space Conversion
// Functions".
TILEREEL_MATH unsigned __isShared(const void* pointer) {
    return tilereel::runtime::is_shared_memory(pointer);
}
TILEREEL_MATH unsigned __isLocal(const void* pointer) {
    return tilereel::runtime::is_local_memory(pointer);
}
TILEREEL_MATH unsigned __isConstant(const void*) { return 0; }
TILEREEL_MATH unsigned __isGlobal(const void* pointer) {
    return !__isShared(pointer) && !__isLocal(pointer);
}
TILEREEL_MATH size_t __cvta_generic_to_shared(const void* pointer) {
    return tilereel::runtime::shared_address(pointer);
}
TILEREEL_MATH void* __cvta_shared_to_generic(size_t address) {
    return tilereel::runtime::shared_pointer(address);
}
TILEREEL_MATH size_t __cvta_generic_to_global(const void* pointer) { return (size_t)pointer; }
TILEREEL_MATH void* __cvta_global_to_generic(size_t address) { return (void*)address; }
TILEREEL_MATH size_t __cvta_generic_to_local(const void* pointer) { return (size_t)pointer; }
TILEREEL_MATH void* __cvta_local_to_generic(size_t address) { return (void*)address; }
TILEREEL_MATH size_t __cvta_generic_to_constant(const void* pointer) { return (size_t)pointer; }
TILEREEL_MATH void* __cvta_constant_to_generic(size_t address) { return (void*)address; }
TILEREEL_MATH void __prof_trigger(int) {}
