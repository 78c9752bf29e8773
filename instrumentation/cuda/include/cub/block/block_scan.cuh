#pragma once
// cub::BlockScan. All algorithms are the same here: each warp scans with shuffles, then each thread
// adds the warps before its own.
#pragma GCC system_header
#include "cub/warp/warp_scan.cuh"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int kX, BlockScanAlgorithm kAlgorithm = BLOCK_SCAN_RAKING, int kY = 1,
          int kZ = 1, int kArch = 0>
class BlockScan {
    static constexpr int kThreads = kX * kY * kZ;
    static constexpr int kWarps = (kThreads + kWarpThreads - 1) / kWarpThreads;

  public:
    struct TempStorage {
        detail::Items<T, kWarps> warp_aggregates;
        detail::Items<T, 1> block_prefix;
    };
    __device__ BlockScan() : storage_(own_storage()) {}
    __device__ explicit BlockScan(TempStorage& storage) : storage_(storage) {}

    __device__ void ExclusiveSum(T input, T& output) {
        ExclusiveScan(input, output, T(), cub::Sum());
    }
    __device__ void ExclusiveSum(T input, T& output, T& aggregate) {
        ExclusiveScan(input, output, T(), cub::Sum(), aggregate);
    }
    template <class Callback>
    __device__ void ExclusiveSum(T input, T& output, Callback& prefix) {
        ExclusiveScan(input, output, cub::Sum(), prefix);
    }
    template <int kItems>
    __device__ void ExclusiveSum(T (&input)[kItems], T (&output)[kItems]) {
        ExclusiveScan(input, output, T(), cub::Sum());
    }
    template <int kItems>
    __device__ void ExclusiveSum(T (&input)[kItems], T (&output)[kItems], T& aggregate) {
        ExclusiveScan(input, output, T(), cub::Sum(), aggregate);
    }
    template <int kItems, class Callback>
    __device__ void ExclusiveSum(T (&input)[kItems], T (&output)[kItems], Callback& prefix) {
        ExclusiveScan(input, output, cub::Sum(), prefix);
    }
    __device__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
    __device__ void InclusiveSum(T input, T& output, T& aggregate) {
        InclusiveScan(input, output, cub::Sum(), aggregate);
    }
    template <class Callback>
    __device__ void InclusiveSum(T input, T& output, Callback& prefix) {
        InclusiveScan(input, output, cub::Sum(), prefix);
    }
    template <int kItems>
    __device__ void InclusiveSum(T (&input)[kItems], T (&output)[kItems]) {
        InclusiveScan(input, output, cub::Sum());
    }
    template <int kItems>
    __device__ void InclusiveSum(T (&input)[kItems], T (&output)[kItems], T& aggregate) {
        InclusiveScan(input, output, cub::Sum(), aggregate);
    }
    template <int kItems, class Callback>
    __device__ void InclusiveSum(T (&input)[kItems], T (&output)[kItems], Callback& prefix) {
        InclusiveScan(input, output, cub::Sum(), prefix);
    }

    template <class Op>
    __device__ void ExclusiveScan(T input, T& output, T initial, Op op) {
        T aggregate;
        ExclusiveScan(input, output, initial, op, aggregate);
    }
    template <class Op>
    __device__ void ExclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
        T items[1] = {input};
        ExclusiveScan(items, items, initial, op, aggregate);
        output = items[0];
    }
    template <class Op, class Callback>
    __device__ void ExclusiveScan(T input, T& output, Op op, Callback& prefix) {
        T items[1] = {input};
        ExclusiveScan(items, items, op, prefix);
        output = items[0];
    }
    template <int kItems, class Op>
    __device__ void ExclusiveScan(T (&input)[kItems], T (&output)[kItems], T initial, Op op) {
        T aggregate;
        ExclusiveScan(input, output, initial, op, aggregate);
    }
    template <int kItems, class Op>
    __device__ void ExclusiveScan(T (&input)[kItems], T (&output)[kItems], T initial, Op op,
                                  T& aggregate) {
        T total;
        T prefix = thread_prefix(reduced(input, op), op, total);
        aggregate = total;
        scan_exclusive(input, output, thread() == 0 ? initial : T(op(initial, prefix)), op);
    }
    template <int kItems, class Op, class Callback>
    __device__ void ExclusiveScan(T (&input)[kItems], T (&output)[kItems], Op op,
                                  Callback& callback) {
        T total;
        T prefix = thread_prefix(reduced(input, op), op, total);
        T block = block_prefix(callback, total);
        scan_exclusive(input, output, thread() == 0 ? block : T(op(block, prefix)), op);
    }
    // Without an initial value thread 0's first item is undefined.
    template <class Op>
    __device__ void ExclusiveScan(T input, T& output, Op op) {
        T aggregate;
        ExclusiveScan(input, output, op, aggregate);
    }
    template <class Op>
    __device__ void ExclusiveScan(T input, T& output, Op op, T& aggregate) {
        T total;
        T prefix = thread_prefix(input, op, total);
        aggregate = total;
        output = prefix;
    }
    template <int kItems, class Op>
    __device__ void ExclusiveScan(T (&input)[kItems], T (&output)[kItems], Op op) {
        T aggregate;
        ExclusiveScan(input, output, op, aggregate);
    }
    template <int kItems, class Op>
    __device__ void ExclusiveScan(T (&input)[kItems], T (&output)[kItems], Op op, T& aggregate) {
        T total;
        T prefix = thread_prefix(reduced(input, op), op, total);
        aggregate = total;
        if (thread() != 0) return scan_exclusive(input, output, prefix, op);
        T next = input[0];
        output[0] = next;
        for (int i = 1; i < kItems; ++i) {
            T item = input[i];
            output[i] = next;
            next = op(next, item);
        }
    }

    template <class Op>
    __device__ void InclusiveScan(T input, T& output, Op op) {
        T aggregate;
        InclusiveScan(input, output, op, aggregate);
    }
    template <class Op>
    __device__ void InclusiveScan(T input, T& output, Op op, T& aggregate) {
        T items[1] = {input};
        InclusiveScan(items, items, op, aggregate);
        output = items[0];
    }
    template <class Op, class Callback>
    __device__ void InclusiveScan(T input, T& output, Op op, Callback& prefix) {
        T items[1] = {input};
        InclusiveScan(items, items, op, prefix);
        output = items[0];
    }
    template <class Op>
    __device__ void InclusiveScan(T input, T& output, T initial, Op op) {
        T items[1] = {input};
        InclusiveScan(items, items, initial, op);
        output = items[0];
    }
    template <int kItems, class Op>
    __device__ void InclusiveScan(T (&input)[kItems], T (&output)[kItems], Op op) {
        T aggregate;
        InclusiveScan(input, output, op, aggregate);
    }
    template <int kItems, class Op>
    __device__ void InclusiveScan(T (&input)[kItems], T (&output)[kItems], Op op, T& aggregate) {
        T total;
        T prefix = thread_prefix(reduced(input, op), op, total);
        aggregate = total;
        T sum = input[0];
        if (thread() != 0) sum = op(prefix, sum);
        scan_inclusive(input, output, sum, op);
    }
    template <int kItems, class Op, class Callback>
    __device__ void InclusiveScan(T (&input)[kItems], T (&output)[kItems], Op op,
                                  Callback& callback) {
        T total;
        T prefix = thread_prefix(reduced(input, op), op, total);
        T block = block_prefix(callback, total);
        T first = input[0];
        T before = thread() == 0 ? block : T(op(block, prefix));
        scan_inclusive(input, output, op(before, first), op);
    }
    template <int kItems, class Op>
    __device__ void InclusiveScan(T (&input)[kItems], T (&output)[kItems], T initial, Op op) {
        T total;
        T prefix = thread_prefix(reduced(input, op), op, total);
        T first = input[0];
        T before = thread() == 0 ? initial : T(op(initial, prefix));
        scan_inclusive(input, output, op(before, first), op);
    }

  private:
    __device__ static TempStorage& own_storage() {
        __shared__ TempStorage storage;
        return storage;
    }
    __device__ static int thread() { return detail::thread_of_block<kX, kY, kZ>(); }
    template <int kItems, class Op>
    __device__ static T reduced(T (&items)[kItems], Op op) {
        T value = items[0];
        for (int i = 1; i < kItems; ++i) value = op(value, items[i]);
        return value;
    }
    template <int kItems, class Op>
    __device__ static void scan_exclusive(T (&input)[kItems], T (&output)[kItems], T next, Op op) {
        for (int i = 0; i < kItems; ++i) {
            T item = input[i];
            output[i] = next;
            next = op(next, item);
        }
    }
    // `sum`: of the first item and what comes before it.
    template <int kItems, class Op>
    __device__ static void scan_inclusive(T (&input)[kItems], T (&output)[kItems], T sum, Op op) {
        output[0] = sum;
        for (int i = 1; i < kItems; ++i) {
            sum = op(sum, input[i]);
            output[i] = sum;
        }
    }
    // What comes before the thread; of thread 0 its own value.
    template <class Op>
    __device__ T thread_prefix(T value, Op op, T& aggregate) {
        const detail::LogicalWarp<kWarpThreads> lanes;
        const int thread = BlockScan::thread(), warp = thread / kWarpThreads;
        for (int offset = 1; offset < kWarpThreads; offset *= 2) {
            T other = detail::shfl_up(lanes.mask, value, lanes.lane, offset, 0);
            if (lanes.lane >= offset) value = op(other, value);
        }
        if (lanes.lane == kWarpThreads - 1 || thread == kThreads - 1)
            storage_.warp_aggregates[warp] = value;
        __syncthreads();
        T prefix = detail::shfl_up(lanes.mask, value, lanes.lane, 1, 0);
        T total = storage_.warp_aggregates[0];
        for (int i = 1; i < kWarps; ++i) {
            if (i == warp) prefix = lanes.lane == 0 ? total : T(op(total, prefix));
            T other = storage_.warp_aggregates[i];
            total = op(total, other);
        }
        aggregate = total;
        return prefix;
    }
    // The first warp asks for it; the value that thread 0 gets holds for all.
    template <class Callback>
    __device__ T block_prefix(Callback& callback, T aggregate) {
        if (thread() < kWarpThreads) {
            T prefix = callback(aggregate);
            if (thread() == 0) storage_.block_prefix[0] = prefix;
        }
        __syncthreads();
        return storage_.block_prefix[0];
    }

    TempStorage& storage_;
};

}  // namespace cub
