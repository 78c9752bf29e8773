#pragma once
// The types of nvcuda::wmma: fragments, and what they are made of.
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "tilereel/small_float.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct s4;
struct u4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

// Rounded to nearest, a tie away from 0, as cvt.rna.tf32.f32 does.
__device__ inline float __float_to_tf32(float value) {
    return tilereel::runtime::float_of(tilereel::runtime::float_to_tf32(value));
}

namespace detail {

// Element types: as PTX calls them, what x[] and memory hold, bits of an element.
template <class T>
struct Type {
    static constexpr bool kExists = false;
};
#define TILEREEL_WMMA_TYPE(T, ptx_name, InFragment, InMemory, bits) \
    template <>                                                     \
    struct Type<T> {                                                \
        static constexpr bool kExists = true;                       \
        static constexpr const char* kName = ptx_name;              \
        static constexpr int kBits = bits;                          \
        typedef InFragment Stored;                                  \
        typedef InMemory Memory;                                    \
    };
TILEREEL_WMMA_TYPE(half, "f16", half, half, 16)
TILEREEL_WMMA_TYPE(__nv_bfloat16, "bf16", __nv_bfloat16, __nv_bfloat16, 16)
TILEREEL_WMMA_TYPE(precision::tf32, "tf32", float, float, 32)
TILEREEL_WMMA_TYPE(float, "f32", float, float, 32)
TILEREEL_WMMA_TYPE(double, "f64", double, double, 64)
TILEREEL_WMMA_TYPE(signed char, "s8", signed char, signed char, 8)
TILEREEL_WMMA_TYPE(char, "s8", char, char, 8)
TILEREEL_WMMA_TYPE(unsigned char, "u8", unsigned char, unsigned char, 8)
TILEREEL_WMMA_TYPE(int, "s32", int, int, 32)
TILEREEL_WMMA_TYPE(experimental::precision::s4, "s4", int, void, 4)
TILEREEL_WMMA_TYPE(experimental::precision::u4, "u4", unsigned, void, 4)
TILEREEL_WMMA_TYPE(experimental::precision::b1, "b1", unsigned, void, 1)
#undef TILEREEL_WMMA_TYPE

template <class T, class... Others>
constexpr bool is_one_of() {
    return (std::is_same<T, Others>::value || ...);
}

template <class Use, int m, int n, int k, class T, class Layout>
constexpr bool exists() {
    namespace sub_byte = experimental::precision;
    constexpr bool kWide = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);
    if (std::is_same<Use, accumulator>::value) {
        if (!std::is_same<Layout, void>::value) return false;
        if (std::is_same<T, half>::value) return kWide && k == 16;
        if (std::is_same<T, float>::value)
            return (kWide && k == 16) || (m == 16 && n == 16 && k == 8);
        if (std::is_same<T, int>::value)
            return (kWide && k == 16) || (m == 8 && n == 8 && (k == 32 || k == 128));
        return std::is_same<T, double>::value && m == 8 && n == 8 && k == 4;
    }
    if (!is_one_of<Use, matrix_a, matrix_b>() || !is_one_of<Layout, row_major, col_major>())
        return false;
    if (is_one_of<T, half, __nv_bfloat16, signed char, unsigned char, char>())
        return kWide && k == 16;
    if (std::is_same<T, precision::tf32>::value) return m == 16 && n == 16 && k == 8;
    if (std::is_same<T, double>::value) return m == 8 && n == 8 && k == 4;
    // These have one layout each.
    if (!std::is_same<Layout, typename std::conditional<std::is_same<Use, matrix_a>::value,
                                                        row_major, col_major>::type>::value)
        return false;
    if (is_one_of<T, sub_byte::s4, sub_byte::u4>()) return m == 8 && n == 8 && k == 32;
    return std::is_same<T, sub_byte::b1>::value && m == 8 && n == 8 && k == 128;
}

template <class Use, int m, int n, int k>
constexpr int matrix_elements() {
    return std::is_same<Use, matrix_a>::value   ? m * k
           : std::is_same<Use, matrix_b>::value ? n * k
                                                : m * n;
}

// x[] of half in A and B has 16 elements in every shape; some are there twice or four times.
template <class Use, int m, int n, int k, class T>
struct Counts {
    static constexpr int kDifferent = matrix_elements<Use, m, n, k>() / 32;
    static constexpr bool kRepeats =
        std::is_same<T, half>::value && !std::is_same<Use, accumulator>::value;
    static constexpr int kAll = kRepeats ? 16 : kDifferent;
    static constexpr int kInOne = Type<T>::kBits < 8 ? 32 / Type<T>::kBits : 1;
    static constexpr int kStored = kAll / kInOne;
};

}  // namespace detail

template <class Use, int m, int n, int k, class T, class Layout = void>
class alignas(8) fragment {
    static_assert(detail::exists<Use, m, n, k, T, Layout>(),
                  "wmma has no such fragment: see the table of shapes and types in the CUDA C++ "
                  "Programming Guide, \"Element Types and Matrix Sizes\"");
    typedef detail::Counts<Use, m, n, k, T> Counts;

  public:
    typedef T element_type;
    typedef typename detail::Type<T>::Stored storage_element_type;
    enum { num_elements = Counts::kAll, num_storage_elements = Counts::kStored };
    storage_element_type x[num_storage_elements];
};

}  // namespace wmma
}  // namespace nvcuda
