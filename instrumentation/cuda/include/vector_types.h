#pragma once
// Vector types with the sizes and alignments of CUDA (CUDA C++ Programming Guide, "Built-in Vector
// Types").
#define TILEREEL_VECTORS(T, name, align2, align4)     \
    struct name##1 {                                  \
        T x;                                          \
    };                                                \
    struct __attribute__((aligned(align2))) name##2 { \
        T x, y;                                       \
    };                                                \
    struct name##3 {                                  \
        T x, y, z;                                    \
    };                                                \
    struct __attribute__((aligned(align4))) name##4 { \
        T x, y, z, w;                                 \
    };
TILEREEL_VECTORS(signed char, char, 2, 4)
TILEREEL_VECTORS(unsigned char, uchar, 2, 4)
TILEREEL_VECTORS(short, short, 4, 8)
TILEREEL_VECTORS(unsigned short, ushort, 4, 8)
TILEREEL_VECTORS(int, int, 8, 16)
TILEREEL_VECTORS(unsigned int, uint, 8, 16)
TILEREEL_VECTORS(long, long, 16, 16)
TILEREEL_VECTORS(unsigned long, ulong, 16, 16)
TILEREEL_VECTORS(long long, longlong, 16, 16)
TILEREEL_VECTORS(unsigned long long, ulonglong, 16, 16)
TILEREEL_VECTORS(float, float, 8, 16)
TILEREEL_VECTORS(double, double, 16, 16)
#undef TILEREEL_VECTORS

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};
