#pragma once
// Device-wide functions run on the host. What they do to memory is not recorded.
#pragma GCC system_header
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "cub/detail/host_ranges.h"
#include "cub/iterator/iterators.cuh"
#include "cub/thread/thread_operators.cuh"
#include "cub/util_debug.cuh"

namespace cub {
namespace detail {

// Of a pointer the memory that is accessed; of other iterators nothing is known.
template <class T, class Count>
tilereel_cub_range range(T* pointer, Count count) {
    if constexpr (std::is_void<T>::value)
        return {nullptr, 0};
    else
        return {pointer, count > 0 ? std::size_t(count) * sizeof(T) : 0};
}
template <class Iterator, class Count>
tilereel_cub_range range(const Iterator&, Count) {
    return {nullptr, 0};
}

// The first call, without storage, asks for the storage's size; the second one does the work.
template <class Work>
cudaError_t on_host(const char* name, const void* storage, std::size_t& bytes,
                    std::initializer_list<tilereel_cub_range> ranges, Work&& work) {
    if (storage == nullptr) {
        bytes = 1;
        return cudaSuccess;
    }
    const cudaError_t error = tilereel_cub_begin(name, ranges.begin(), ranges.size());
    if (error != cudaSuccess) return error;
    work();
    tilereel_cub_end();
    return cudaSuccess;
}

template <class Iterator>
using ValueOf = typename std::remove_cv<typename std::iterator_traits<Iterator>::value_type>::type;
// The type of the results: of an iterator that takes anything, that of the input.
template <class Out, class In>
struct OutputOf {
    using Value = typename std::iterator_traits<Out>::value_type;
    using Type = typename std::conditional<std::is_void<Value>::value, ValueOf<In>,
                                           typename std::remove_cv<Value>::type>::type;
};
template <class Op, class Initial, class In>
using Accumulator = typename std::decay<decltype(std::declval<Op&>()(
    std::declval<Initial&>(), std::declval<ValueOf<In>&>()))>::type;

// Reduces in pairs, as the tree of a GPU: sums of many floats keep their precision.
template <class Sum, class In, class Op>
Sum reduce_items(In in, long long count, Op& op) {
    if (count > 64) {
        const long long half = count / 2;
        Sum first = reduce_items<Sum>(in, half, op);
        Sum second = reduce_items<Sum>(in + half, count - half, op);
        return op(first, second);
    }
    Sum sum = in[0];
    for (long long i = 1; i < count; ++i) sum = op(sum, in[i]);
    return sum;
}
template <class Sum, class In, class Op>
Sum reduce_from(Sum initial, In in, long long count, Op op) {
    if (count <= 0) return initial;
    Sum sum = reduce_items<Sum>(in, count, op);
    return op(initial, sum);
}

}  // namespace detail
}  // namespace cub
