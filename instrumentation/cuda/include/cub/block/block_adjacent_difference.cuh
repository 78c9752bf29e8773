#pragma once
// cub::BlockAdjacentDifference and cub::BlockShuffle: neighbours of items.
#pragma GCC system_header
#include "cub/util_ptx.cuh"

namespace cub {

template <class T, int kX, int kY = 1, int kZ = 1, int kArch = 0>
class BlockAdjacentDifference {
    static constexpr int kThreads = kX * kY * kZ;

  public:
    struct TempStorage {
        detail::Items<T, kThreads> first_items, last_items;
    };
    __device__ BlockAdjacentDifference() : storage_(own_storage()) {}
    __device__ explicit BlockAdjacentDifference(TempStorage& storage) : storage_(storage) {}

    template <int kItems, class Out, class Op>
    __device__ void SubtractLeft(T (&input)[kItems], Out (&output)[kItems], Op op) {
        left(input, output, op, kThreads * kItems, nullptr);
    }
    template <int kItems, class Out, class Op>
    __device__ void SubtractLeft(T (&input)[kItems], Out (&output)[kItems], Op op, T predecessor) {
        left(input, output, op, kThreads * kItems, &predecessor);
    }
    template <int kItems, class Out, class Op>
    __device__ void SubtractLeftPartialTile(T (&input)[kItems], Out (&output)[kItems], Op op,
                                            int valid) {
        left(input, output, op, valid, nullptr);
    }
    template <int kItems, class Out, class Op>
    __device__ void SubtractLeftPartialTile(T (&input)[kItems], Out (&output)[kItems], Op op,
                                            int valid, T predecessor) {
        left(input, output, op, valid, &predecessor);
    }
    template <int kItems, class Out, class Op>
    __device__ void SubtractRight(T (&input)[kItems], Out (&output)[kItems], Op op) {
        right(input, output, op, kThreads * kItems, nullptr);
    }
    template <int kItems, class Out, class Op>
    __device__ void SubtractRight(T (&input)[kItems], Out (&output)[kItems], Op op, T successor) {
        right(input, output, op, kThreads * kItems, &successor);
    }
    template <int kItems, class Out, class Op>
    __device__ void SubtractRightPartialTile(T (&input)[kItems], Out (&output)[kItems], Op op,
                                             int valid) {
        right(input, output, op, valid, nullptr);
    }

  private:
    __device__ static TempStorage& own_storage() {
        __shared__ TempStorage storage;
        return storage;
    }
    __device__ static int thread() { return detail::thread_of_block<kX, kY, kZ>(); }
    template <int kItems, class Out, class Op>
    __device__ void left(T (&input)[kItems], Out (&output)[kItems], Op op, int valid,
                         T* predecessor) {
        storage_.last_items[thread()] = input[kItems - 1];
        __syncthreads();
        for (int i = kItems - 1; i >= 0; --i) {
            const int index = thread() * kItems + i;
            T item = input[i];
            if (index < valid && i > 0) {
                output[i] = op(item, input[i - 1]);
            } else if (index < valid && index > 0) {
                T before = storage_.last_items[thread() - 1];
                output[i] = op(item, before);
            } else if (index < valid && predecessor) {
                output[i] = op(item, *predecessor);
            } else {
                output[i] = item;
            }
        }
    }
    template <int kItems, class Out, class Op>
    __device__ void right(T (&input)[kItems], Out (&output)[kItems], Op op, int valid,
                          T* successor) {
        storage_.first_items[thread()] = input[0];
        __syncthreads();
        for (int i = 0; i < kItems; ++i) {
            const int next = thread() * kItems + i + 1;
            T item = input[i];
            if (next < valid && i + 1 < kItems) {
                output[i] = op(item, input[i + 1]);
            } else if (next < valid) {
                T after = storage_.first_items[thread() + 1];
                output[i] = op(item, after);
            } else if (next == kThreads * kItems && successor) {
                output[i] = op(item, *successor);
            } else {
                output[i] = item;
            }
        }
    }

    TempStorage& storage_;
};

template <class T, int kX, int kY = 1, int kZ = 1, int kArch = 0>
class BlockShuffle {
    static constexpr int kThreads = kX * kY * kZ;

  public:
    struct TempStorage {
        detail::Items<T, kThreads> items;
    };
    __device__ BlockShuffle() : storage_(own_storage()) {}
    __device__ explicit BlockShuffle(TempStorage& storage) : storage_(storage) {}

    // Without a neighbour at the distance the output stays as it is.
    __device__ void Offset(T input, T& output, int distance = 1) {
        storage_.items[thread()] = input;
        __syncthreads();
        const int from = thread() + distance;
        if (from >= 0 && from < kThreads) output = storage_.items[from];
    }
    __device__ void Rotate(T input, T& output, unsigned distance = 1) {
        storage_.items[thread()] = input;
        __syncthreads();
        output = storage_.items[(thread() + int(distance)) % kThreads];
    }
    template <int kItems>
    __device__ void Up(T (&input)[kItems], T (&previous)[kItems]) {
        storage_.items[thread()] = input[kItems - 1];
        __syncthreads();
        for (int i = kItems - 1; i > 0; --i) previous[i] = input[i - 1];
        if (thread() > 0) previous[0] = storage_.items[thread() - 1];
    }
    template <int kItems>
    __device__ void Up(T (&input)[kItems], T (&previous)[kItems], T& block_suffix) {
        Up(input, previous);
        block_suffix = storage_.items[kThreads - 1];
    }
    template <int kItems>
    __device__ void Down(T (&input)[kItems], T (&next)[kItems]) {
        storage_.items[thread()] = input[0];
        __syncthreads();
        for (int i = 0; i + 1 < kItems; ++i) next[i] = input[i + 1];
        if (thread() + 1 < kThreads) next[kItems - 1] = storage_.items[thread() + 1];
    }
    template <int kItems>
    __device__ void Down(T (&input)[kItems], T (&next)[kItems], T& block_prefix) {
        Down(input, next);
        block_prefix = storage_.items[0];
    }

  private:
    __device__ static TempStorage& own_storage() {
        __shared__ TempStorage storage;
        return storage;
    }
    __device__ static int thread() { return detail::thread_of_block<kX, kY, kZ>(); }

    TempStorage& storage_;
};

}  // namespace cub
