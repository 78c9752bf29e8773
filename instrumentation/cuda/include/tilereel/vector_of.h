#pragma once
// The scalar type and the components of a scalar or a vector type.
#include <type_traits>

#include "vector_types.h"

namespace tilereel::runtime {

template <class T>
struct VectorOf {
    using Scalar = T;
    static constexpr T make(T x, T, T, T) { return x; }
};
#define TILEREEL_VECTOR_OF(S, name)                                                        \
    template <>                                                                            \
    struct VectorOf<name##1> {                                                             \
        using Scalar = S;                                                                  \
        static constexpr name##1 make(S x, S, S, S) { return name##1 {x}; }                \
    };                                                                                     \
    template <>                                                                            \
    struct VectorOf<name##2> {                                                             \
        using Scalar = S;                                                                  \
        static constexpr name##2 make(S x, S y, S, S) { return name##2 {x, y}; }           \
    };                                                                                     \
    template <>                                                                            \
    struct VectorOf<name##4> {                                                             \
        using Scalar = S;                                                                  \
        static constexpr name##4 make(S x, S y, S z, S w) { return name##4 {x, y, z, w}; } \
    };
TILEREEL_VECTOR_OF(signed char, char)
TILEREEL_VECTOR_OF(unsigned char, uchar)
TILEREEL_VECTOR_OF(short, short)
TILEREEL_VECTOR_OF(unsigned short, ushort)
TILEREEL_VECTOR_OF(int, int)
TILEREEL_VECTOR_OF(unsigned, uint)
TILEREEL_VECTOR_OF(float, float)
#undef TILEREEL_VECTOR_OF

}  // namespace tilereel::runtime
