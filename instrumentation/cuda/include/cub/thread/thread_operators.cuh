#pragma once
// CUB's function objects. CUB documentation, "thread_operators.cuh".
#pragma GCC system_header
#include "cub/util_type.cuh"

namespace cub {

struct Equality {
    template <class T, class U>
    __host__ __device__ bool operator()(const T& a, const U& b) const {
        return a == b;
    }
};
struct Inequality {
    template <class T, class U>
    __host__ __device__ bool operator()(const T& a, const U& b) const {
        return a != b;
    }
};
template <class EqualityOp>
struct InequalityWrapper {
    EqualityOp op;
    __host__ __device__ explicit InequalityWrapper(EqualityOp equal) : op(equal) {}
    template <class T, class U>
    __host__ __device__ bool operator()(const T& a, const U& b) {
        return !op(a, b);
    }
};
struct Sum {
    template <class T, class U>
    __host__ __device__ auto operator()(const T& a, const U& b) const -> decltype(a + b) {
        return a + b;
    }
};
struct Difference {
    template <class T, class U>
    __host__ __device__ auto operator()(const T& a, const U& b) const -> decltype(a - b) {
        return a - b;
    }
};
struct Division {
    template <class T, class U>
    __host__ __device__ auto operator()(const T& a, const U& b) const -> decltype(a / b) {
        return a / b;
    }
};
struct Max {
    template <class T, class U>
    __host__ __device__ typename std::common_type<T, U>::type operator()(const T& a,
                                                                         const U& b) const {
        return a < b ? b : a;
    }
};
struct Min {
    template <class T, class U>
    __host__ __device__ typename std::common_type<T, U>::type operator()(const T& a,
                                                                         const U& b) const {
        return b < a ? b : a;
    }
};
// Of equal values, the one with the smallest key.
struct ArgMax {
    template <class Key, class Value>
    __host__ __device__ KeyValuePair<Key, Value> operator()(
        const KeyValuePair<Key, Value>& a, const KeyValuePair<Key, Value>& b) const {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class Key, class Value>
    __host__ __device__ KeyValuePair<Key, Value> operator()(
        const KeyValuePair<Key, Value>& a, const KeyValuePair<Key, Value>& b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
template <class To>
struct CastOp {
    template <class T>
    __host__ __device__ To operator()(const T& value) const {
        return To(value);
    }
};
template <class ScanOp>
struct SwizzleScanOp {
    ScanOp op;
    __host__ __device__ explicit SwizzleScanOp(ScanOp scan) : op(scan) {}
    template <class T>
    __host__ __device__ T operator()(const T& a, const T& b) {
        return op(b, a);
    }
};
// Reduces values up to the next head of a segment: keys are numbers of segments.
template <class ReductionOp>
struct ReduceBySegmentOp {
    ReductionOp op;
    ReduceBySegmentOp() = default;
    __host__ __device__ explicit ReduceBySegmentOp(ReductionOp reduction) : op(reduction) {}
    template <class Pair>
    __host__ __device__ Pair operator()(const Pair& a, const Pair& b) {
        Pair result;
        result.key = a.key + b.key;
        result.value = b.key ? b.value : op(a.value, b.value);
        return result;
    }
};
template <class ReductionOp>
struct ReduceByKeyOp {
    ReductionOp op;
    ReduceByKeyOp() = default;
    __host__ __device__ explicit ReduceByKeyOp(ReductionOp reduction) : op(reduction) {}
    template <class Pair>
    __host__ __device__ Pair operator()(const Pair& a, const Pair& b) {
        Pair result = b;
        if (a.key == b.key) result.value = op(a.value, b.value);
        return result;
    }
};

}  // namespace cub
