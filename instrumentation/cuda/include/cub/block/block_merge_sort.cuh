#pragma once
// cub::BlockMergeSort.
#pragma GCC system_header
#include "cub/detail/merge_sort.cuh"

namespace cub {
namespace detail {

template <int kX, int kY, int kZ>
struct SortedByBlock {
    __device__ static int thread() { return thread_of_block<kX, kY, kZ>(); }
    __device__ static void sync() { __syncthreads(); }
};

}  // namespace detail

template <class Key, int kX, int kItems, class Value = NullType, int kY = 1, int kZ = 1>
class BlockMergeSort : public detail::MergeSort<detail::SortedByBlock<kX, kY, kZ>, Key,
                                                kX * kY * kZ, kItems, Value> {
    using Base =
        detail::MergeSort<detail::SortedByBlock<kX, kY, kZ>, Key, kX * kY * kZ, kItems, Value>;

  public:
    __device__ explicit BlockMergeSort(typename Base::TempStorage& storage) : Base(storage) {}
};

}  // namespace cub
