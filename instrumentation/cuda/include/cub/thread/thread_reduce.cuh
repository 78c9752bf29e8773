#pragma once
// Reductions and scans of the items of one thread, and searches in sorted items.
#pragma GCC system_header
#include "cub/thread/thread_operators.cuh"

namespace cub {

template <int kItems, class T, class Op>
__device__ inline T ThreadReduce(T (&input)[kItems], Op op) {
    T value = input[0];
    for (int i = 1; i < kItems; ++i) value = op(value, input[i]);
    return value;
}
template <int kItems, class T, class Op>
__device__ inline T ThreadReduce(T (&input)[kItems], Op op, T prefix) {
    for (int i = 0; i < kItems; ++i) prefix = op(prefix, input[i]);
    return prefix;
}
template <int kItems, class T, class Op>
__device__ inline T ThreadScanInclusive(T (&input)[kItems], T (&output)[kItems], Op op) {
    T value = input[0];
    output[0] = value;
    for (int i = 1; i < kItems; ++i) output[i] = value = op(value, input[i]);
    return value;
}
template <int kItems, class T, class Op>
__device__ inline T ThreadScanInclusive(T (&input)[kItems], T (&output)[kItems], Op op, T prefix,
                                        bool apply_prefix = true) {
    T value = input[0];
    if (apply_prefix) value = op(prefix, value);
    output[0] = value;
    for (int i = 1; i < kItems; ++i) output[i] = value = op(value, input[i]);
    return value;
}
template <int kItems, class T, class Op>
__device__ inline T ThreadScanExclusive(T (&input)[kItems], T (&output)[kItems], Op op, T prefix,
                                        bool = true) {
    for (int i = 0; i < kItems; ++i) {
        T item = input[i];
        output[i] = prefix;
        prefix = op(prefix, item);
    }
    return prefix;
}
template <class Iterator, class Offset, class T>
__host__ __device__ inline Offset LowerBound(Iterator input, Offset count, T value) {
    Offset first = 0;
    while (count > 0) {
        const Offset half = count / 2;
        if (input[first + half] < value) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}
template <class Iterator, class Offset, class T>
__host__ __device__ inline Offset UpperBound(Iterator input, Offset count, T value) {
    Offset first = 0;
    while (count > 0) {
        const Offset half = count / 2;
        if (value < input[first + half]) {
            count = half;
        } else {
            first += half + 1;
            count -= half + 1;
        }
    }
    return first;
}
// Where a diagonal crosses the merge path of two sorted lists.
template <class A, class B, class Offset, class Coordinate>
__host__ __device__ inline void MergePathSearch(Offset diagonal, A a, B b, Offset a_count,
                                                Offset b_count, Coordinate& at) {
    Offset low = CUB_MAX(diagonal - b_count, Offset(0)), high = CUB_MIN(diagonal, a_count);
    while (low < high) {
        const Offset middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - middle - 1])
            low = middle + 1;
        else
            high = middle;
    }
    at.x = CUB_MIN(low, a_count);
    at.y = diagonal - low;
}

}  // namespace cub
