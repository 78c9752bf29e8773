#pragma once
// Keys as unsigned numbers of the same order.
#pragma GCC system_header
#include "cub/util_type.cuh"

namespace cub {
namespace detail {

// A class of 2 bytes is __half or __nv_bfloat16: sign and magnitude, as every floating-point
// number.
template <class Key>
struct RadixKey {
    using Bits = typename UnsignedOf<sizeof(Key)>::Type;
    static constexpr Bits kSign = Bits(Bits(1) << (sizeof(Key) * 8 - 1));
    static constexpr bool kInteger = std::is_integral<Key>::value || std::is_enum<Key>::value;
    __host__ __device__ static Bits bits_of(const Key& key, bool descending) {
        Bits bits;
        __builtin_memcpy(&bits, &key, sizeof bits);
        if constexpr (!kInteger) {
            if (bits == kSign) bits = 0;  // -0 is equal to 0
            bits = Bits((bits & kSign) ? ~bits : bits | kSign);
        } else if constexpr (std::is_signed<Key>::value) {
            bits = Bits(bits ^ kSign);
        }
        return descending ? Bits(~bits) : bits;
    }
};

}  // namespace detail
}  // namespace cub
