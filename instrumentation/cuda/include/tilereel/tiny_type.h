#pragma once
// The types of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h: one number, pairs and four numbers.
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "tilereel/tiny_float.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;

namespace tilereel::runtime {
inline __half_raw raw_half(float value) { return __half_raw{float_to_half(value)}; }
inline float raw_float(__half_raw value) { return half_to_float(value.x); }
inline float raw_float(__nv_bfloat16_raw value) { return bfloat_to_float(value.x); }
}  // namespace tilereel::runtime

#define TILEREEL_TINY_FROM(T, From, value) \
    explicit T(const From f) { __x = (decltype(__x))(value); }
#define TILEREEL_TINY_TO(Integer)                                         \
    TILEREEL_ACCESS("load") explicit operator Integer() const {           \
        return tilereel::runtime::tiny_to_integer<Integer>(float(*this)); \
    }
// One number. encode(double) and decode(unsigned): the functions for its format.
#define TILEREEL_TINY_NUMBER(T, storage, encode, decode)                                         \
    struct __attribute__((aligned(1))) T {                                                       \
        storage __x;                                                                             \
        T() = default;                                                                           \
        TILEREEL_TINY_FROM(T, __half, encode(float(f)))                                          \
        TILEREEL_TINY_FROM(T, __nv_bfloat16, encode(float(f)))                                   \
        TILEREEL_TINY_FROM(T, float, encode(f))                                                  \
        TILEREEL_TINY_FROM(T, double, encode(f))                                                 \
        TILEREEL_TINY_FROM(T, unsigned short, encode(f))                                         \
        TILEREEL_TINY_FROM(T, unsigned, encode(double(f)))                                       \
        TILEREEL_TINY_FROM(T, unsigned long, encode(double(f)))                                  \
        TILEREEL_TINY_FROM(T, unsigned long long, encode(double(f)))                             \
        TILEREEL_TINY_FROM(T, short, encode(f))                                                  \
        TILEREEL_TINY_FROM(T, int, encode(double(f)))                                            \
        TILEREEL_TINY_FROM(T, long, encode(double(f)))                                           \
        TILEREEL_TINY_FROM(T, long long, encode(double(f)))                                      \
        TILEREEL_ACCESS("load") explicit operator float() const { return decode(__x); }          \
        TILEREEL_ACCESS("load") explicit operator double() const { return double(decode(__x)); } \
        TILEREEL_ACCESS("load") explicit operator __half() const { return __half(decode(__x)); } \
        TILEREEL_ACCESS("load") explicit operator __nv_bfloat16() const {                        \
            return __nv_bfloat16(decode(__x));                                                   \
        }                                                                                        \
        TILEREEL_TINY_TO(unsigned char)                                                          \
        TILEREEL_TINY_TO(unsigned short)                                                         \
        TILEREEL_TINY_TO(unsigned)                                                               \
        TILEREEL_TINY_TO(unsigned long)                                                          \
        TILEREEL_TINY_TO(unsigned long long)                                                     \
        TILEREEL_TINY_TO(signed char)                                                            \
        TILEREEL_TINY_TO(char)                                                                   \
        TILEREEL_TINY_TO(short)                                                                  \
        TILEREEL_TINY_TO(int)                                                                    \
        TILEREEL_TINY_TO(long)                                                                   \
        TILEREEL_TINY_TO(long long)                                                              \
        TILEREEL_ACCESS("load") explicit operator bool() const { return decode(__x) != 0.0f; }   \
    };
// Two and four numbers in one word; `bits`: the distance between two of them.
#define TILEREEL_TINY_VECTORS(T2, T4, storage2, storage4, bits, encode, decode)                 \
    struct __attribute__((aligned(sizeof(storage2)))) T2 {                                      \
        storage2 __x;                                                                           \
        T2() = default;                                                                         \
        TILEREEL_TINY_FROM(T2, float2, encode(f.x) | encode(f.y) << bits)                       \
        TILEREEL_TINY_FROM(T2, double2, encode(f.x) | encode(f.y) << bits)                      \
        TILEREEL_TINY_FROM(T2, __half2, encode(float(f.x)) | encode(float(f.y)) << bits)        \
        TILEREEL_TINY_FROM(T2, __nv_bfloat162, encode(float(f.x)) | encode(float(f.y)) << bits) \
        TILEREEL_ACCESS("load") explicit operator float2() const {                              \
            return float2{decode(__x & ((1u << bits) - 1)), decode(__x >> bits)};               \
        }                                                                                       \
        TILEREEL_ACCESS("load") explicit operator __half2() const {                             \
            const float2 f(*this);                                                              \
            return __half2(__half(f.x), __half(f.y));                                           \
        }                                                                                       \
        TILEREEL_ACCESS("load") explicit operator __nv_bfloat162() const {                      \
            const float2 f(*this);                                                              \
            return __nv_bfloat162(__nv_bfloat16(f.x), __nv_bfloat16(f.y));                      \
        }                                                                                       \
    };                                                                                          \
    struct __attribute__((aligned(sizeof(storage4)))) T4 {                                      \
        storage4 __x;                                                                           \
        T4() = default;                                                                         \
        TILEREEL_TINY_FROM(T4, float4,                                                          \
                           encode(f.x) | encode(f.y) << bits | encode(f.z) << 2 * bits |        \
                               encode(f.w) << 3 * bits)                                         \
        TILEREEL_TINY_FROM(T4, double4,                                                         \
                           encode(f.x) | encode(f.y) << bits | encode(f.z) << 2 * bits |        \
                               encode(f.w) << 3 * bits)                                         \
        T4(const __half2 low, const __half2 high)                                               \
            : T4(float4{float(low.x), float(low.y), float(high.x), float(high.y)}) {}           \
        T4(const __nv_bfloat162 low, const __nv_bfloat162 high)                                 \
            : T4(float4{float(low.x), float(low.y), float(high.x), float(high.y)}) {}           \
        TILEREEL_ACCESS("load") explicit operator float4() const {                              \
            const unsigned mask = (1u << bits) - 1, all = __x;                                  \
            return float4{decode(all & mask), decode(all >> bits & mask),                       \
                          decode(all >> 2 * bits & mask), decode(all >> 3 * bits & mask)};      \
        }                                                                                       \
    };
// The functions __nv_cvt_..._to_fp... and back. `last`: the parameter after the format.
#define TILEREEL_TINY_CONVERSIONS(fp, storage, storage2, bits, Kind, encode, decode, before,       \
                                  after, ...)                                                      \
    TILEREEL_MATH storage __nv_cvt_double_to_##fp(const double x before, const Kind kind after) {  \
        return storage(encode(x, kind, __VA_ARGS__));                                              \
    }                                                                                              \
    TILEREEL_MATH storage __nv_cvt_float_to_##fp(const float x before, const Kind kind after) {    \
        return storage(encode(x, kind, __VA_ARGS__));                                              \
    }                                                                                              \
    TILEREEL_MATH storage __nv_cvt_halfraw_to_##fp(const __half_raw x before,                      \
                                                   const Kind kind after) {                        \
        return storage(encode(tilereel::runtime::raw_float(x), kind, __VA_ARGS__));                \
    }                                                                                              \
    TILEREEL_MATH storage __nv_cvt_bfloat16raw_to_##fp(const __nv_bfloat16_raw x before,           \
                                                       const Kind kind after) {                    \
        return storage(encode(tilereel::runtime::raw_float(x), kind, __VA_ARGS__));                \
    }                                                                                              \
    TILEREEL_MATH storage2 __nv_cvt_double2_to_##fp##x2(const double2 x before,                    \
                                                        const Kind kind after) {                   \
        return storage2(encode(x.x, kind, __VA_ARGS__) | encode(x.y, kind, __VA_ARGS__) << bits);  \
    }                                                                                              \
    TILEREEL_MATH storage2 __nv_cvt_float2_to_##fp##x2(const float2 x before,                      \
                                                       const Kind kind after) {                    \
        return storage2(encode(x.x, kind, __VA_ARGS__) | encode(x.y, kind, __VA_ARGS__) << bits);  \
    }                                                                                              \
    TILEREEL_MATH storage2 __nv_cvt_halfraw2_to_##fp##x2(const __half2_raw x before,               \
                                                         const Kind kind after) {                  \
        return storage2(encode(tilereel::runtime::half_to_float(x.x), kind, __VA_ARGS__) |         \
                        encode(tilereel::runtime::half_to_float(x.y), kind, __VA_ARGS__) << bits); \
    }                                                                                              \
    TILEREEL_MATH storage2 __nv_cvt_bfloat16raw2_to_##fp##x2(const __nv_bfloat162_raw x before,    \
                                                             const Kind kind after) {              \
        return storage2(encode(tilereel::runtime::bfloat_to_float(x.x), kind, __VA_ARGS__) |       \
                        encode(tilereel::runtime::bfloat_to_float(x.y), kind, __VA_ARGS__)         \
                            << bits);                                                              \
    }                                                                                              \
    TILEREEL_MATH __half_raw __nv_cvt_##fp##_to_halfraw(const storage x, const Kind kind) {        \
        return tilereel::runtime::raw_half(decode(x, kind));                                       \
    }                                                                                              \
    TILEREEL_MATH __half2_raw __nv_cvt_##fp##x2_to_halfraw2(const storage2 x, const Kind kind) {   \
        return __half2_raw{tilereel::runtime::float_to_half(decode(x & ((1u << bits) - 1), kind)), \
                           tilereel::runtime::float_to_half(decode(x >> bits, kind))};             \
    }
#define TILEREEL_COMMA ,
