#pragma once
// CUB's types. CUB documentation, "Utilities".
#pragma GCC system_header
#include <limits>

#include "cub/detail/lanes.cuh"

#define CUB_VERSION 200200
#define CUB_MAJOR_VERSION 2
#define CUB_MINOR_VERSION 2
#define CUB_SUBMINOR_VERSION 0
#define CUB_NS_QUALIFIER ::cub
#define CUB_RUNTIME_FUNCTION
#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))

namespace cub {

struct NullType {
    template <class T>
    NullType& operator=(const T&) {
        return *this;
    }
    bool operator==(const NullType&) const { return true; }
    bool operator!=(const NullType&) const { return false; }
};
template <int kValue>
struct Int2Type {
    enum { VALUE = kValue };
};

template <class Key_, class Value_>
struct KeyValuePair {
    using Key = Key_;
    using Value = Value_;
    Key key;
    Value value;
    KeyValuePair() = default;
    __host__ __device__ KeyValuePair(const Key& k, const Value& v) : key(k), value(v) {}
    __host__ __device__ bool operator==(const KeyValuePair& other) const {
        return key == other.key && value == other.value;
    }
    __host__ __device__ bool operator!=(const KeyValuePair& other) const {
        return !(*this == other);
    }
};

template <class T>
struct DoubleBuffer {
    T* d_buffers[2] = {nullptr, nullptr};
    int selector = 0;
    __host__ __device__ DoubleBuffer() {}
    __host__ __device__ DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
    __host__ __device__ T* Current() { return d_buffers[selector]; }
    __host__ __device__ T* Alternate() { return d_buffers[selector ^ 1]; }
};

template <class T>
struct Uninitialized {
    alignas(T) unsigned char storage[sizeof(T)];
    __host__ __device__ T& Alias() { return *reinterpret_cast<T*>(storage); }
};

template <class T>
struct NumericTraits {
    static T Lowest() { return std::numeric_limits<T>::lowest(); }
    static T Max() { return std::numeric_limits<T>::max(); }
};
template <class T>
using FpLimits = NumericTraits<T>;

namespace detail {
template <std::size_t kBytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
    using Type = std::uint8_t;
};
template <>
struct UnsignedOf<2> {
    using Type = std::uint16_t;
};
template <>
struct UnsignedOf<4> {
    using Type = std::uint32_t;
};
template <>
struct UnsignedOf<8> {
    using Type = std::uint64_t;
};

}  // namespace detail

// The bits of a number, and those of a number that is sorted in their place.
template <class T>
struct Traits : NumericTraits<T> {
    using UnsignedBits = typename detail::UnsignedOf<sizeof(T)>::Type;
    static constexpr UnsignedBits HIGH_BIT = UnsignedBits(UnsignedBits(1) << (sizeof(T) * 8 - 1));
    __host__ __device__ static UnsignedBits TwiddleIn(UnsignedBits key) {
        if (std::is_unsigned<T>::value) return key;
        if (std::is_integral<T>::value) return UnsignedBits(key ^ HIGH_BIT);
        return UnsignedBits((key & HIGH_BIT) ? ~key : key ^ HIGH_BIT);
    }
    __host__ __device__ static UnsignedBits TwiddleOut(UnsignedBits key) {
        if (std::is_unsigned<T>::value) return key;
        if (std::is_integral<T>::value) return UnsignedBits(key ^ HIGH_BIT);
        return UnsignedBits((key & HIGH_BIT) ? key ^ HIGH_BIT : ~key);
    }
};

template <int kN>
struct Log2 {
    static constexpr int of(int n) { return n <= 1 ? 0 : 1 + of((n + 1) / 2); }
    enum { VALUE = of(kN) };
};
template <int kN>
struct PowerOfTwo {
    enum { VALUE = (kN & (kN - 1)) == 0 };
};
template <bool kIf, class Then, class Else>
struct If {
    using Type = typename std::conditional<kIf, Then, Else>::type;
};
template <class A, class B>
struct Equals {
    enum { VALUE = std::is_same<A, B>::value };
};

}  // namespace cub
