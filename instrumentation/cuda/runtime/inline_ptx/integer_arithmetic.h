#pragma once
// What the arithmetic instructions on integers compute of their operands.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "instrumentation/cuda/runtime/inline_ptx/integer_steps.h"

namespace tilereel::runtime::ptx_integer {

struct Add {
    template <class T>
    T operator()(T a, T b) const {
        return T(Unsigned<T>(a) + Unsigned<T>(b));
    }
};
struct AddSaturated {
    std::int32_t operator()(std::int32_t a, std::int32_t b) const {
        const std::int64_t sum = std::int64_t{a} + b;
        return std::int32_t(std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                                     std::numeric_limits<std::int32_t>::max()));
    }
};
struct Subtract {
    template <class T>
    T operator()(T a, T b) const {
        return T(Unsigned<T>(a) - Unsigned<T>(b));
    }
};
struct SubtractSaturated {
    std::int32_t operator()(std::int32_t a, std::int32_t b) const {
        const std::int64_t rest = std::int64_t{a} - b;
        return std::int32_t(std::clamp<std::int64_t>(rest, std::numeric_limits<std::int32_t>::min(),
                                                     std::numeric_limits<std::int32_t>::max()));
    }
};
struct MultiplyLow {
    template <class T>
    T operator()(T a, T b) const {
        return T(Wide<Unsigned<T>>(Unsigned<T>(a)) * Unsigned<T>(b));
    }
};
struct MultiplyHigh {
    template <class T>
    T operator()(T a, T b) const {
        return T(Wide<T>(a) * Wide<T>(b) >> 8 * sizeof(T));
    }
};
struct MultiplyWide {  // a result of twice the width
    template <class T>
    auto operator()(T a, T b) const {
        return Wide<T>(a) * Wide<T>(b);
    }
};
// 24 bits of each factor; "hi": bits 47 to 16 of the product.
template <class T>
T low_24(T a) {
    return std::is_signed_v<T> ? T(Unsigned<T>(a) << 8) >> 8 : T(a & 0xffffff);
}
struct Multiply24Low {
    template <class T>
    T operator()(T a, T b) const {
        return T(Wide<T>(low_24(a)) * low_24(b));
    }
};
struct Multiply24High {
    template <class T>
    T operator()(T a, T b) const {
        return T(Wide<T>(low_24(a)) * low_24(b) >> 16);
    }
};
// The GPU's results where a division is undefined in C++.
struct Divide {
    template <class T>
    T operator()(T a, T b) const {
        if (b == 0) return T(-1);
        if (std::is_signed_v<T> && b == T(-1)) return T(-Unsigned<T>(a));
        return T(a / b);
    }
};
struct Remainder {
    template <class T>
    T operator()(T a, T b) const {
        if (b == 0) return a;
        if (std::is_signed_v<T> && b == T(-1)) return 0;
        return T(a % b);
    }
};
struct Minimum {
    template <class T>
    T operator()(T a, T b) const {
        return std::min(a, b);
    }
};
struct Maximum {
    template <class T>
    T operator()(T a, T b) const {
        return std::max(a, b);
    }
};
struct Absolute {
    template <class T>
    T operator()(T a) const {
        return a < T(0) ? T(-Unsigned<T>(a)) : a;
    }
};
struct Negate {
    template <class T>
    T operator()(T a) const {
        return T(-Unsigned<T>(a));
    }
};
struct AbsoluteDifference {  // sad: c + |a - b|
    template <class T>
    T operator()(T a, T b, T c) const {
        return T(Unsigned<T>(c) +
                 (a < b ? Unsigned<T>(b) - Unsigned<T>(a) : Unsigned<T>(a) - Unsigned<T>(b)));
    }
};
template <class Product>
struct WithSum {  // mad
    template <class T>
    T operator()(T a, T b, T c) const {
        return T(Unsigned<T>(Product{}(a, b)) + Unsigned<T>(c));
    }
};
struct MultiplyAddSaturated {  // mad.hi.sat.s32
    std::int32_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
        return AddSaturated{}(MultiplyHigh{}(a, b), c);
    }
};

}  // namespace tilereel::runtime::ptx_integer
