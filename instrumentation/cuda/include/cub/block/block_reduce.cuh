#pragma once
// cub::BlockReduce. The result is that of thread 0. All algorithms are the same here: each warp
// reduces with shuffles, then thread 0 adds up the warps.
#pragma GCC system_header
#include "cub/warp/warp_reduce.cuh"

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};

template <class T, int kX, BlockReduceAlgorithm kAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int kY = 1, int kZ = 1, int kArch = 0>
class BlockReduce {
    static constexpr int kThreads = kX * kY * kZ;
    static constexpr int kWarps = (kThreads + kWarpThreads - 1) / kWarpThreads;

  public:
    struct TempStorage {
        detail::Items<T, kWarps> warp_aggregates;
    };
    __device__ BlockReduce() : storage_(own_storage()) {}
    __device__ explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

    __device__ T Sum(T input) { return Reduce(input, cub::Sum(), kThreads); }
    __device__ T Sum(T input, int valid_items) { return Reduce(input, cub::Sum(), valid_items); }
    template <int kItems>
    __device__ T Sum(T (&inputs)[kItems]) {
        return Reduce(inputs, cub::Sum());
    }
    template <class Op>
    __device__ T Reduce(T input, Op op) {
        return Reduce(input, op, kThreads);
    }
    template <int kItems, class Op>
    __device__ T Reduce(T (&inputs)[kItems], Op op) {
        T value = inputs[0];
        for (int i = 1; i < kItems; ++i) value = op(value, inputs[i]);
        return Reduce(value, op, kThreads);
    }
    template <class Op>
    __device__ T Reduce(T input, Op op, int valid_items) {
        const int thread = detail::thread_of_block<kX, kY, kZ>();
        const int warp = thread / kWarpThreads;
        typename WarpReduce<T>::TempStorage none;
        const int valid = CUB_MIN(valid_items, kThreads);
        T value = WarpReduce<T>(none).Reduce(input, op, valid - warp * kWarpThreads);
        if constexpr (kWarps > 1) {
            if (thread % kWarpThreads == 0) storage_.warp_aggregates[warp] = value;
            __syncthreads();
            if (thread == 0)
                for (int i = 1; i * kWarpThreads < valid; ++i) {
                    T other = storage_.warp_aggregates[i];
                    value = op(value, other);
                }
        }
        return value;
    }

  private:
    __device__ static TempStorage& own_storage() {
        __shared__ TempStorage storage;
        return storage;
    }
    TempStorage& storage_;
};

}  // namespace cub
