#pragma once
// cub::WarpReduce. The result is that of the logical warp's first lane.
#pragma GCC system_header
#include "cub/thread/thread_operators.cuh"
#include "cub/util_ptx.cuh"

namespace cub {

template <class T, int kLogicalThreads = kWarpThreads, int kArch = 0>
class WarpReduce {
  public:
    struct TempStorage {};
    __device__ explicit WarpReduce(TempStorage&) {}

    __device__ T Sum(T input) { return Reduce(input, cub::Sum(), kLogicalThreads); }
    __device__ T Sum(T input, int valid_items) { return Reduce(input, cub::Sum(), valid_items); }
    template <class Op>
    __device__ T Reduce(T input, Op op) {
        return Reduce(input, op, kLogicalThreads);
    }
    template <class Op>
    __device__ T Reduce(T input, Op op, int valid_items) {
        const detail::LogicalWarp<kLogicalThreads> warp;
        return up_to(input, op, warp, warp.first + valid_items);
    }
    template <class Flag>
    __device__ T HeadSegmentedSum(T input, Flag head) {
        return HeadSegmentedReduce(input, head, cub::Sum());
    }
    template <class Flag>
    __device__ T TailSegmentedSum(T input, Flag tail) {
        return TailSegmentedReduce(input, tail, cub::Sum());
    }
    // A segment ends before the next lane with a flag.
    template <class Op, class Flag>
    __device__ T HeadSegmentedReduce(T input, Flag head, Op op) {
        const detail::LogicalWarp<kLogicalThreads> warp;
        const unsigned later = __ballot_sync(warp.mask, head ? 1 : 0) & ~((2u << warp.lane) - 1);
        return up_to(input, op, warp, later ? __builtin_ctz(later) : warp.first + kLogicalThreads);
    }
    // A segment ends with the next lane that has a flag.
    template <class Op, class Flag>
    __device__ T TailSegmentedReduce(T input, Flag tail, Op op) {
        const detail::LogicalWarp<kLogicalThreads> warp;
        const unsigned later = __ballot_sync(warp.mask, tail ? 1 : 0) & ~((1u << warp.lane) - 1);
        return up_to(input, op, warp,
                     later ? __builtin_ctz(later) + 1 : warp.first + kLogicalThreads);
    }

  private:
    // Reduces the lanes from this one up to `end`.
    template <class Op>
    __device__ T up_to(T value, Op op, const detail::LogicalWarp<kLogicalThreads>& warp, int end) {
        for (int offset = 1; offset < kLogicalThreads; offset *= 2) {
            T other = detail::shfl_down(warp.mask, value, warp.lane, offset, kWarpThreads - 1);
            if (warp.lane + offset < end) value = op(value, other);
        }
        return value;
    }
};
template <class T, int kArch>
class WarpReduce<T, 1, kArch> {
  public:
    struct TempStorage {};
    __device__ explicit WarpReduce(TempStorage&) {}
    __device__ T Sum(T input, int = 1) { return input; }
    template <class Op>
    __device__ T Reduce(T input, Op, int = 1) {
        return input;
    }
};

}  // namespace cub
