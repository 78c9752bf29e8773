#pragma once
// 16-bit floating-point numbers. They are stored as bits. Operations compute in float, and the
// result is rounded to 16 bits, to nearest even. For + - * / and square roots this gives the
// correctly rounded result, as in hardware.
#include <cstring>

namespace tilereel::runtime {

inline unsigned bits_of(float value) { return __builtin_bit_cast(unsigned, value); }
inline float float_of(unsigned bits) { return __builtin_bit_cast(float, bits); }
// IEEE 754 binary16.
inline float half_to_float(unsigned short half) {
    // Without branches, so that a loop over an array becomes vector instructions.
    const unsigned sign = (half & 0x8000u) << 16, rest = half & 0x7fffu;
    const unsigned bias =
        rest < 0x7c00u ? 112u << 23 : 224u << 23;  // of infinities and NaN: to 255
    const unsigned small = bits_of(float(int(rest)) * 5.9604644775390625e-8f);  // subnormal: 2^-24
    return float_of(sign | (rest < 0x400u ? small : (rest << 13) + bias));
}
inline unsigned short float_to_half(float value) {
    const unsigned bits = bits_of(value), sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;
    if (rest > 0x7f800000u) return (unsigned short)(0x7fff);
    if (rest >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);  // rounds to infinity
    if (rest < 0x38800000u) {                                          // subnormal
        const float scaled = float_of(rest) + 0.5f;                    // the sum rounds
        return (unsigned short)(sign | (bits_of(scaled) - 0x3f000000u));
    }
    const unsigned odd = rest >> 13 & 1u;
    return (unsigned short)(sign | ((rest - 0x38000000u + 0xfffu + odd) >> 13));
}
// The other rounding modes: towards `limit`, which is 0 or an infinity.
inline unsigned short float_to_half_towards(float value, float limit) {
    const unsigned short near = float_to_half(value);
    const float rounded = half_to_float(near);
    if (rounded == value || value != value) return near;
    const bool above = rounded > value, up = limit == 0.0f ? value < 0.0f : limit > 0.0f;
    if (above == up) return near;
    // The adjacent number on the other side of `value`: magnitudes are in the order of their bits.
    if ((near & 0x7fffu) == 0) return (unsigned short)(up ? 0x0001u : 0x8001u);
    const bool negative = (near & 0x8000u) != 0;
    return (unsigned short)(up != negative ? near + 1 : near - 1);
}
// TF32: the upper 19 bits of a binary32. To nearest, a tie away from 0, as cvt.rna.tf32.f32 does.
// An H200 only cuts the bits of infinities and NaN, so a NaN with low bits alone becomes an
// infinity.
inline unsigned float_to_tf32(float value) {
    const unsigned bits = bits_of(value);
    const bool is_finite = (bits & 0x7f800000u) != 0x7f800000u;
    return (is_finite ? bits + 0x1000u : bits) & 0xffffe000u;
}
// The upper half of a binary32.
inline float bfloat_to_float(unsigned short bits) { return float_of(unsigned(bits) << 16); }
inline unsigned short float_to_bfloat(float value) {
    const unsigned bits = bits_of(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace tilereel::runtime

// The functions that __half and __nv_bfloat16 have in common. `T`: the type; `T2`: a pair of them.
#define TILEREEL_SMALL_FLOAT(T, T2, raw, raw2, to_float, from_float)                            \
    struct raw {                                                                                \
        unsigned short x;                                                                       \
    };                                                                                          \
    struct __attribute__((aligned(4))) raw2 {                                                   \
        unsigned short x, y;                                                                    \
    };                                                                                          \
    struct T {                                                                                  \
        unsigned short __x;                                                                     \
        T() = default;                                                                          \
        T(raw r) : __x(r.x) {}                                                                  \
        T(float v) : __x(tilereel::runtime::from_float(v)) {}                                   \
        T(double v) : __x(tilereel::runtime::from_float(float(v))) {}                           \
        T(int v) : __x(tilereel::runtime::from_float(float(v))) {}                              \
        T(unsigned v) : __x(tilereel::runtime::from_float(float(v))) {}                         \
        T(short v) : __x(tilereel::runtime::from_float(float(v))) {}                            \
        T(unsigned short v) : __x(tilereel::runtime::from_float(float(v))) {}                   \
        T(long v) : __x(tilereel::runtime::from_float(float(v))) {}                             \
        T(unsigned long v) : __x(tilereel::runtime::from_float(float(v))) {}                    \
        T(long long v) : __x(tilereel::runtime::from_float(float(v))) {}                        \
        T(unsigned long long v) : __x(tilereel::runtime::from_float(float(v))) {}               \
        TILEREEL_ACCESS("load") operator float() const {                                        \
            return tilereel::runtime::to_float(__x);                                            \
        }                                                                                       \
        TILEREEL_ACCESS("load") operator raw() const { return raw{__x}; }                       \
        TILEREEL_ACCESS("load") explicit operator bool() const { return float(*this) != 0.0f; } \
        TILEREEL_ACCESS("update") T& operator+=(T b) {                                          \
            return *this = T(float(*this) + float(b));                                          \
        }                                                                                       \
        TILEREEL_ACCESS("update") T& operator-=(T b) {                                          \
            return *this = T(float(*this) - float(b));                                          \
        }                                                                                       \
        TILEREEL_ACCESS("update") T& operator*=(T b) {                                          \
            return *this = T(float(*this) * float(b));                                          \
        }                                                                                       \
        TILEREEL_ACCESS("update") T& operator/=(T b) {                                          \
            return *this = T(float(*this) / float(b));                                          \
        }                                                                                       \
        TILEREEL_ACCESS("update") T& operator++() { return *this += T(1.0f); }                  \
        TILEREEL_ACCESS("update") T& operator--() { return *this -= T(1.0f); }                  \
        TILEREEL_ACCESS("load") T operator-() const { return T(-float(*this)); }                \
        TILEREEL_ACCESS("load") T operator+() const { return *this; }                           \
    };                                                                                          \
    struct __attribute__((aligned(4))) T2 {                                                     \
        T x, y;                                                                                 \
        T2() = default;                                                                         \
        T2(T a, T b) : x(a), y(b) {}                                                            \
        TILEREEL_ACCESS("update") T2& operator+=(T2 b) {                                        \
            return *this = T2(T(float(x) + float(b.x)), T(float(y) + float(b.y)));              \
        }                                                                                       \
        TILEREEL_ACCESS("update") T2& operator-=(T2 b) {                                        \
            return *this = T2(T(float(x) - float(b.x)), T(float(y) - float(b.y)));              \
        }                                                                                       \
        TILEREEL_ACCESS("update") T2& operator*=(T2 b) {                                        \
            return *this = T2(T(float(x) * float(b.x)), T(float(y) * float(b.y)));              \
        }                                                                                       \
    };                                                                                          \
    TILEREEL_SMALL_OPERATOR(T, T2, +)                                                           \
    TILEREEL_SMALL_OPERATOR(T, T2, -)                                                           \
    TILEREEL_SMALL_OPERATOR(T, T2, *)                                                           \
    TILEREEL_SMALL_OPERATOR(T, T2, /)                                                           \
    TILEREEL_SMALL_COMPARISON(T, ==)                                                            \
    TILEREEL_SMALL_COMPARISON(T, !=)                                                            \
    TILEREEL_SMALL_COMPARISON(T, <)                                                             \
    TILEREEL_SMALL_COMPARISON(T, >)                                                             \
    TILEREEL_SMALL_COMPARISON(T, <=)                                                            \
    TILEREEL_SMALL_COMPARISON(T, >=)                                                            \
    TILEREEL_MATH T __hadd(T a, T b) { return a + b; }                                          \
    TILEREEL_MATH T __hsub(T a, T b) { return a - b; }                                          \
    TILEREEL_MATH T __hmul(T a, T b) { return a * b; }                                          \
    TILEREEL_MATH T __hdiv(T a, T b) { return a / b; }                                          \
    TILEREEL_MATH T __hneg(T a) { return -a; }                                                  \
    TILEREEL_MATH T __habs(T a) { return T(std::fabs(float(a))); }                              \
    inline TILEREEL_FMA T __hfma(T a, T b, T c) {                                               \
        return T(float(double(float(a)) * double(float(b)) + double(float(c))));                \
    }                                                                                           \
    TILEREEL_MATH T __hmax(T a, T b) { return float(a) > float(b) ? a : b; }                    \
    TILEREEL_MATH T __hmin(T a, T b) { return float(a) < float(b) ? a : b; }                    \
    TILEREEL_MATH bool __heq(T a, T b) { return float(a) == float(b); }                         \
    TILEREEL_MATH bool __hne(T a, T b) { return float(a) != float(b); }                         \
    TILEREEL_MATH bool __hlt(T a, T b) { return float(a) < float(b); }                          \
    TILEREEL_MATH bool __hgt(T a, T b) { return float(a) > float(b); }                          \
    TILEREEL_MATH bool __hle(T a, T b) { return float(a) <= float(b); }                         \
    TILEREEL_MATH bool __hge(T a, T b) { return float(a) >= float(b); }                         \
    TILEREEL_MATH bool __hisnan(T a) { return float(a) != float(a); }                           \
    TILEREEL_MATH T hsqrt(T a) { return T(std::sqrt(float(a))); }                               \
    TILEREEL_MATH T hrsqrt(T a) { return T(1.0f / std::sqrt(float(a))); }                       \
    TILEREEL_MATH T hrcp(T a) { return T(1.0f / float(a)); }                                    \
    TILEREEL_MATH T hexp(T a) { return T(std::exp(float(a))); }                                 \
    TILEREEL_MATH T hexp2(T a) { return T(std::exp2(float(a))); }                               \
    TILEREEL_MATH T hlog(T a) { return T(std::log(float(a))); }                                 \
    TILEREEL_MATH T hlog2(T a) { return T(std::log2(float(a))); }                               \
    TILEREEL_MATH T hsin(T a) { return T(std::sin(float(a))); }                                 \
    TILEREEL_MATH T hcos(T a) { return T(std::cos(float(a))); }                                 \
    TILEREEL_MATH T htanh(T a) { return T(std::tanh(float(a))); }                               \
    TILEREEL_MATH T hfloor(T a) { return T(std::floor(float(a))); }                             \
    TILEREEL_MATH T hceil(T a) { return T(std::ceil(float(a))); }                               \
    TILEREEL_MATH T hrint(T a) { return T(std::nearbyint(float(a))); }                          \
    TILEREEL_MATH T2 __hadd2(T2 a, T2 b) { return a + b; }                                      \
    TILEREEL_MATH T2 __hsub2(T2 a, T2 b) { return a - b; }                                      \
    TILEREEL_MATH T2 __hmul2(T2 a, T2 b) { return a * b; }                                      \
    TILEREEL_MATH T2 __h2div(T2 a, T2 b) { return a / b; }                                      \
    TILEREEL_MATH T2 __hneg2(T2 a) { return T2(-a.x, -a.y); }                                   \
    inline TILEREEL_FMA T2 __hfma2(T2 a, T2 b, T2 c) {                                          \
        return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                \
    }                                                                                           \
    TILEREEL_MATH T2 __hmax2(T2 a, T2 b) { return T2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }     \
    TILEREEL_MATH T2 __hmin2(T2 a, T2 b) { return T2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }

#define TILEREEL_FMA __attribute__((tilereel_fma))
// With an operand of another type, that operand is converted, as for built-in types.
#define TILEREEL_SMALL_OPERATOR(T, T2, op)                                            \
    TILEREEL_MATH T operator op(T a, T b) { return T(float(a) op float(b)); }         \
    TILEREEL_MATH float operator op(T a, float b) { return float(a) op b; }           \
    TILEREEL_MATH float operator op(float a, T b) { return a op float(b); }           \
    TILEREEL_MATH double operator op(T a, double b) { return double(float(a)) op b; } \
    TILEREEL_MATH double operator op(double a, T b) { return a op double(float(b)); } \
    TILEREEL_MATH T operator op(T a, int b) { return T(float(a) op float(b)); }       \
    TILEREEL_MATH T operator op(int a, T b) { return T(float(a) op float(b)); }       \
    TILEREEL_MATH T2 operator op(T2 a, T2 b) { return T2(a.x op b.x, a.y op b.y); }
#define TILEREEL_SMALL_COMPARISON(T, op)                                        \
    TILEREEL_MATH bool operator op(T a, T b) { return float(a) op float(b); }   \
    TILEREEL_MATH bool operator op(T a, float b) { return float(a) op b; }      \
    TILEREEL_MATH bool operator op(float a, T b) { return a op float(b); }      \
    TILEREEL_MATH bool operator op(T a, int b) { return float(a) op float(b); } \
    TILEREEL_MATH bool operator op(T a, double b) { return double(float(a)) op b; }

// Conversions between a small type and integers: __half2int_rn(), __int2half_rn() and their like.
// `from` and `to`: the type's name in those of functions to integers and from them.
#define TILEREEL_SMALL_INTEGERS(T, from, to)                              \
    TILEREEL_SMALL_ROUNDED(T, from, rn)                                   \
    TILEREEL_SMALL_ROUNDED(T, from, rz)                                   \
    TILEREEL_SMALL_ROUNDED(T, from, ru)                                   \
    TILEREEL_SMALL_ROUNDED(T, from, rd)                                   \
    TILEREEL_MATH T __int2##to##_rn(int a) { return T(a); }               \
    TILEREEL_MATH T __uint2##to##_rn(unsigned a) { return T(a); }         \
    TILEREEL_MATH T __short2##to##_rn(short a) { return T(a); }           \
    TILEREEL_MATH T __ushort2##to##_rn(unsigned short a) { return T(a); } \
    TILEREEL_MATH T __ll2##to##_rn(long long a) { return T(a); }          \
    TILEREEL_MATH T __ull2##to##_rn(unsigned long long a) { return T(a); }
// Shorts saturate, as the wider types do.
#define TILEREEL_SMALL_ROUNDED(T, from, mode)                                                \
    TILEREEL_MATH int from##2int_##mode(T a) { return __float2int_##mode(float(a)); }        \
    TILEREEL_MATH unsigned from##2uint_##mode(T a) { return __float2uint_##mode(float(a)); } \
    TILEREEL_MATH long long from##2ll_##mode(T a) { return __float2ll_##mode(float(a)); }    \
    TILEREEL_MATH unsigned long long from##2ull_##mode(T a) {                                \
        return __float2ull_##mode(float(a));                                                 \
    }                                                                                        \
    TILEREEL_MATH short from##2short_##mode(T a) {                                           \
        const int value = __float2int_##mode(float(a));                                      \
        return short(value < -32768 ? -32768 : value > 32767 ? 32767 : value);               \
    }                                                                                        \
    TILEREEL_MATH unsigned short from##2ushort_##mode(T a) {                                 \
        const unsigned value = __float2uint_##mode(float(a));                                \
        return (unsigned short)(value > 65535 ? 65535 : value);                              \
    }
