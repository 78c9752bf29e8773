#pragma once
// cub::WarpScan.
#pragma GCC system_header
#include "cub/thread/thread_operators.cuh"
#include "cub/util_ptx.cuh"

namespace cub {

template <class T, int kLogicalThreads = kWarpThreads, int kArch = 0>
class WarpScan {
  public:
    struct TempStorage {};
    __device__ explicit WarpScan(TempStorage&) {}

    __device__ void InclusiveSum(T input, T& output) { output = scan(input, cub::Sum()); }
    __device__ void InclusiveSum(T input, T& output, T& aggregate) {
        InclusiveScan(input, output, cub::Sum(), aggregate);
    }
    template <class Op>
    __device__ void InclusiveScan(T input, T& output, Op op) {
        output = scan(input, op);
    }
    template <class Op>
    __device__ void InclusiveScan(T input, T& output, Op op, T& aggregate) {
        T inclusive = scan(input, op);
        aggregate = last(inclusive);
        output = inclusive;
    }
    __device__ void ExclusiveSum(T input, T& output) {
        output = before(scan(input, cub::Sum()), T());
    }
    __device__ void ExclusiveSum(T input, T& output, T& aggregate) {
        T inclusive = scan(input, cub::Sum());
        aggregate = last(inclusive);
        output = before(inclusive, T());
    }
    // Without an initial value the first lane's result is undefined.
    template <class Op>
    __device__ void ExclusiveScan(T input, T& output, Op op) {
        output = before(scan(input, op), input);
    }
    template <class Op>
    __device__ void ExclusiveScan(T input, T& output, T initial, Op op) {
        output = from(initial, scan(input, op), op);
    }
    template <class Op>
    __device__ void ExclusiveScan(T input, T& output, Op op, T& aggregate) {
        T inclusive = scan(input, op);
        aggregate = last(inclusive);
        output = before(inclusive, input);
    }
    template <class Op>
    __device__ void ExclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
        T inclusive = scan(input, op);
        aggregate = last(inclusive);
        output = from(initial, inclusive, op);
    }
    template <class Op>
    __device__ void Scan(T input, T& inclusive_output, T& exclusive_output, Op op) {
        T inclusive = scan(input, op);
        exclusive_output = before(inclusive, input);
        inclusive_output = inclusive;
    }
    template <class Op>
    __device__ void Scan(T input, T& inclusive_output, T& exclusive_output, T initial, Op op) {
        T inclusive = scan(input, op);
        exclusive_output = from(initial, inclusive, op);
        inclusive_output = op(initial, inclusive);
    }
    __device__ T Broadcast(T input, unsigned lane) {
        return detail::shfl(warp_.mask, input, warp_.first + int(lane));
    }

  private:
    template <class Op>
    __device__ T scan(T value, Op op) {
        for (int offset = 1; offset < kLogicalThreads; offset *= 2) {
            T other = detail::shfl_up(warp_.mask, value, warp_.lane, offset, warp_.first);
            if (warp_.rank >= offset) value = op(other, value);
        }
        return value;
    }
    __device__ T last(T inclusive) {
        return detail::shfl(warp_.mask, inclusive, warp_.first + kLogicalThreads - 1);
    }
    // The previous lane's value, and `initial` for the first lane.
    __device__ T before(T inclusive, T initial) {
        T other = detail::shfl_up(warp_.mask, inclusive, warp_.lane, 1, warp_.first);
        return warp_.rank == 0 ? initial : other;
    }
    template <class Op>
    __device__ T from(T initial, T inclusive, Op op) {
        T other = before(inclusive, initial);
        return warp_.rank == 0 ? initial : op(initial, other);
    }

    detail::LogicalWarp<kLogicalThreads> warp_;
};

}  // namespace cub
