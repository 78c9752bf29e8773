#pragma once
#include "vector_types.h"
#define TILEREEL_MAKER constexpr inline __attribute__((always_inline))
#define TILEREEL_MAKE(T, name)                                                         \
    TILEREEL_MAKER name##1 make_##name##1(T x) { return name##1 {x}; }                 \
    TILEREEL_MAKER name##2 make_##name##2(T x, T y) { return name##2 {x, y}; }         \
    TILEREEL_MAKER name##3 make_##name##3(T x, T y, T z) { return name##3 {x, y, z}; } \
    TILEREEL_MAKER name##4 make_##name##4(T x, T y, T z, T w) { return name##4 {x, y, z, w}; }
TILEREEL_MAKE(signed char, char)
TILEREEL_MAKE(unsigned char, uchar)
TILEREEL_MAKE(short, short)
TILEREEL_MAKE(unsigned short, ushort)
TILEREEL_MAKE(int, int)
TILEREEL_MAKE(unsigned int, uint)
TILEREEL_MAKE(long, long)
TILEREEL_MAKE(unsigned long, ulong)
TILEREEL_MAKE(long long, longlong)
TILEREEL_MAKE(unsigned long long, ulonglong)
TILEREEL_MAKE(float, float)
TILEREEL_MAKE(double, double)
#undef TILEREEL_MAKE
#undef TILEREEL_MAKER
