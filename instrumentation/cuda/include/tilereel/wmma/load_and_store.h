#pragma once
// wmma::load_matrix_sync(), store_matrix_sync() and fill_fragment().
//
// Which accesses a lane makes is modelled: elements that lie side by side in its fragment and in
// memory are one access. Where 16-bit elements lie across the memory's order, an 8 x 8 matrix is
// loaded or stored as it lies in memory, 32 bits a lane, and its elements are exchanged between
// lanes, as movmatrix does. An H200 counts the same requests and sectors of global memory
// (tests/hardware/README.md). The accesses are recorded at the line of the program that calls.
#pragma GCC system_header
#include "tilereel/runtime_calls.h"
#include "tilereel/wmma/fragment.h"

namespace nvcuda {
namespace wmma {
namespace detail {

// Elements that one access carries.
template <class T, int kCount>
struct alignas(sizeof(T) * kCount) Pack {
    T elements[kCount];
};

// Where a fragment's elements lie in memory.
template <class Use, int m, int n, int k, class T>
struct Places {
    static constexpr char kMatrix = std::is_same<Use, matrix_a>::value   ? 'a'
                                    : std::is_same<Use, matrix_b>::value ? 'b'
                                                                         : 'c';
    // Neighbours in a fragment: along k of A and B, along a row of the accumulators (8 x 32: along
    // a column). With 16 bits they are pairs, with 8 bits four, and pairs of accumulators.
    static constexpr int kNeighbours = kMatrix == 'c'         ? 2
                                       : Type<T>::kBits >= 32 ? 1
                                       : Type<T>::kBits < 8   ? 1
                                                              : 32 / Type<T>::kBits;
    static constexpr bool kAlongRow = kMatrix == 'a' || (kMatrix == 'c' && n != 32);

    long stride;  // elements
    bool by_rows;
    [[nodiscard]] bool side_by_side() const { return by_rows == kAlongRow; }
    [[nodiscard]] long of(int index) const { return at(places_of_lane<false>()[index]); }
    // In the transposed 8 x 8 matrices.
    [[nodiscard]] long across(int index) const { return at(places_of_lane<true>()[index]); }

  private:
    template <bool kTransposed>
    static const tilereel::runtime::MatrixPlace* places_of_lane() {
        static const tilereel::runtime::MatrixPlace* const kPlaces =
            tilereel::runtime::fragment_places(m, n, k, Type<T>::kName, kMatrix, kTransposed);
        return kPlaces + tilereel::runtime::lane_number() * Counts<Use, m, n, k, T>::kDifferent;
    }
    [[nodiscard]] long at(tilereel::runtime::MatrixPlace place) const {
        return by_rows ? place.row * stride + place.column : place.column * stride + place.row;
    }
};

// Reads what other lanes of the warp have loaded; their loads are recorded.
template <class T>
inline T exchanged(const T* from) {
    return *from;
}

template <class Use, int m, int n, int k, class T, class Stored, class Memory>
__device__ inline void load(Stored* x, const Memory* from, Places<Use, m, n, k, T> places) {
    constexpr int kDifferent = Counts<Use, m, n, k, T>::kDifferent;
    constexpr int kTogether = places.kNeighbours;
    typedef Pack<Memory, kTogether> Together;
    if (places.side_by_side()) {
        for (int i = 0; i < kDifferent; i += kTogether) {
            const Together loaded = *reinterpret_cast<const Together*>(from + places.of(i));
            for (int j = 0; j < kTogether; ++j) x[i + j] = loaded.elements[j];
        }
    } else if (sizeof(Memory) == 2) {
        for (int i = 0; i < kDifferent; i += kTogether) {
            const Together loaded = *reinterpret_cast<const Together*>(from + places.across(i));
            x[i] = loaded.elements[0];  // of another lane: see below
        }
        for (int i = 0; i < kDifferent; ++i) x[i] = exchanged(from + places.of(i));
    } else {
        for (int i = 0; i < kDifferent; ++i) x[i] = from[places.of(i)];
    }
}
// Elements of 4 bits and 1 bit: 32 bits hold neighbours along k.
template <class Use, int m, int n, int k, class T, class Stored>
__device__ inline void load_words(Stored* x, const void* from, Places<Use, m, n, k, T> places) {
    constexpr int kInWord = 32 / Type<T>::kBits;
    for (int i = 0; i < Counts<Use, m, n, k, T>::kStored; ++i)
        x[i] = static_cast<const Stored*>(from)[places.of(i * kInWord) / kInWord];
}

template <int m, int n, int k, class T>
__device__ inline void store(T* to, const T* x, Places<accumulator, m, n, k, T> places) {
    typedef Pack<T, 2> Together;
    constexpr int kDifferent = Counts<accumulator, m, n, k, T>::kDifferent;
    if (places.side_by_side()) {
        for (int i = 0; i < kDifferent; i += 2) {
            const Together both = {{x[i], x[i + 1]}};  // a whole object: one access stores it
            *reinterpret_cast<Together*>(to + places.of(i)) = both;
        }
    } else if constexpr (sizeof(T) == 2) {
        for (int i = 0; i < kDifferent; i += 2) {
            Together both = {{x[i], x[i + 1]}};
            unsigned pair;
            __builtin_memcpy(&pair, &both, sizeof pair);
            asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(pair));
            __builtin_memcpy(static_cast<void*>(&both), &pair, sizeof pair);
            *reinterpret_cast<Together*>(to + places.across(i)) = both;
        }
    } else {
        for (int i = 0; i < kDifferent; ++i) to[places.of(i)] = x[i];
    }
}

}  // namespace detail

// `stride`: elements from one row to the next, or of a column-major matrix from one column to the
// next.
template <class Use, int m, int n, int k, class T, class Layout>
__device__ inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& to,
                                        const typename detail::Type<T>::Memory* from,
                                        unsigned stride) {
    const detail::Places<Use, m, n, k, T> places{long(stride),
                                                 std::is_same<Layout, row_major>::value};
    if constexpr (detail::Type<T>::kBits < 8) {
        detail::load_words<Use, m, n, k, T>(to.x, from, places);
    } else {
        detail::load<Use, m, n, k, T>(to.x, from, places);
        constexpr int kDifferent = detail::Counts<Use, m, n, k, T>::kDifferent;
        for (int i = kDifferent; i < to.num_elements; ++i) to.x[i] = to.x[i - kDifferent];
    }
}
template <int m, int n, int k, class T>
__device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& to,
                                        const typename detail::Type<T>::Memory* from,
                                        unsigned stride, layout_t layout) {
    detail::load<accumulator, m, n, k, T>(
        to.x, from, detail::Places<accumulator, m, n, k, T>{long(stride), layout == mem_row_major});
}
template <int m, int n, int k, class T>
__device__ inline void store_matrix_sync(typename detail::Type<T>::Memory* to,
                                         const fragment<accumulator, m, n, k, T>& from,
                                         unsigned stride, layout_t layout) {
    detail::store<m, n, k, T>(
        to, from.x, detail::Places<accumulator, m, n, k, T>{long(stride), layout == mem_row_major});
}
template <class Use, int m, int n, int k, class T, class Layout>
__device__ inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& fragment,
                                     const typename detail::Type<T>::Stored& value) {
    for (auto& element : fragment.x) element = value;
}

}  // namespace wmma
}  // namespace nvcuda
