#pragma once
// cub::BlockDiscontinuity: flags where neighbours differ.
#pragma GCC system_header
#include "cub/util_ptx.cuh"

namespace cub {

template <class T, int kX, int kY = 1, int kZ = 1, int kArch = 0>
class BlockDiscontinuity {
    static constexpr int kThreads = kX * kY * kZ;

  public:
    struct TempStorage {
        detail::Items<T, kThreads> first_items, last_items;
    };
    __device__ BlockDiscontinuity() : storage_(own_storage()) {}
    __device__ explicit BlockDiscontinuity(TempStorage& storage) : storage_(storage) {}

    // The first item of the block is a head, unless its predecessor is given.
    template <int kItems, class Flag, class Op>
    __device__ void FlagHeads(Flag (&heads)[kItems], T (&input)[kItems], Op op) {
        flag_heads(heads, input, op, nullptr);
    }
    template <int kItems, class Flag, class Op>
    __device__ void FlagHeads(Flag (&heads)[kItems], T (&input)[kItems], Op op, T predecessor) {
        flag_heads(heads, input, op, &predecessor);
    }
    template <int kItems, class Flag, class Op>
    __device__ void FlagTails(Flag (&tails)[kItems], T (&input)[kItems], Op op) {
        flag_tails(tails, input, op, nullptr);
    }
    template <int kItems, class Flag, class Op>
    __device__ void FlagTails(Flag (&tails)[kItems], T (&input)[kItems], Op op, T successor) {
        flag_tails(tails, input, op, &successor);
    }
    template <int kItems, class Flag, class Op>
    __device__ void FlagHeadsAndTails(Flag (&heads)[kItems], Flag (&tails)[kItems],
                                      T (&input)[kItems], Op op) {
        flag_heads(heads, input, op, nullptr);
        flag_tails(tails, input, op, nullptr);
    }
    template <int kItems, class Flag, class Op>
    __device__ void FlagHeadsAndTails(Flag (&heads)[kItems], Flag (&tails)[kItems], T successor,
                                      T (&input)[kItems], Op op) {
        flag_heads(heads, input, op, nullptr);
        flag_tails(tails, input, op, &successor);
    }
    template <int kItems, class Flag, class Op>
    __device__ void FlagHeadsAndTails(Flag (&heads)[kItems], T predecessor, Flag (&tails)[kItems],
                                      T (&input)[kItems], Op op) {
        flag_heads(heads, input, op, &predecessor);
        flag_tails(tails, input, op, nullptr);
    }
    template <int kItems, class Flag, class Op>
    __device__ void FlagHeadsAndTails(Flag (&heads)[kItems], T predecessor, Flag (&tails)[kItems],
                                      T successor, T (&input)[kItems], Op op) {
        flag_heads(heads, input, op, &predecessor);
        flag_tails(tails, input, op, &successor);
    }

  private:
    __device__ static TempStorage& own_storage() {
        __shared__ TempStorage storage;
        return storage;
    }
    __device__ static int thread() { return detail::thread_of_block<kX, kY, kZ>(); }
    // The function may want the number of the second item, too.
    template <class Op>
    __device__ static bool differ(Op op, T& a, T& b, int index) {
        if constexpr (std::is_invocable<Op, T&, T&, int>::value)
            return op(a, b, index);
        else
            return op(a, b);
    }
    template <int kItems, class Flag, class Op>
    __device__ void flag_heads(Flag (&heads)[kItems], T (&input)[kItems], Op op, T* predecessor) {
        storage_.last_items[thread()] = input[kItems - 1];
        __syncthreads();
        for (int i = kItems - 1; i > 0; --i)
            heads[i] = differ(op, input[i - 1], input[i], thread() * kItems + i);
        heads[0] = 1;
        if (thread() > 0) {
            T before = storage_.last_items[thread() - 1];
            heads[0] = differ(op, before, input[0], thread() * kItems);
        } else if (predecessor) {
            heads[0] = differ(op, *predecessor, input[0], 0);
        }
    }
    template <int kItems, class Flag, class Op>
    __device__ void flag_tails(Flag (&tails)[kItems], T (&input)[kItems], Op op, T* successor) {
        storage_.first_items[thread()] = input[0];
        __syncthreads();
        for (int i = 0; i + 1 < kItems; ++i)
            tails[i] = differ(op, input[i], input[i + 1], thread() * kItems + i + 1);
        tails[kItems - 1] = 1;
        if (thread() + 1 < kThreads) {
            T next = storage_.first_items[thread() + 1];
            tails[kItems - 1] = differ(op, input[kItems - 1], next, (thread() + 1) * kItems);
        } else if (successor) {
            tails[kItems - 1] = differ(op, input[kItems - 1], *successor, kThreads * kItems);
        }
    }

    TempStorage& storage_;
};

}  // namespace cub
