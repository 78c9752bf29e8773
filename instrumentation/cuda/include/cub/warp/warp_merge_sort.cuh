#pragma once
// cub::WarpMergeSort.
#pragma GCC system_header
#include "cub/detail/merge_sort.cuh"

namespace cub {
namespace detail {

template <int kLogicalThreads>
struct SortedByWarp {
    __device__ static int thread() { return LogicalWarp<kLogicalThreads>().rank; }
    __device__ static void sync() { __syncwarp(LogicalWarp<kLogicalThreads>().mask); }
};

}  // namespace detail

template <class Key, int kItems, int kLogicalThreads = kWarpThreads, class Value = NullType,
          int kArch = 0>
class WarpMergeSort : public detail::MergeSort<detail::SortedByWarp<kLogicalThreads>, Key,
                                               kLogicalThreads, kItems, Value> {
    using Base = detail::MergeSort<detail::SortedByWarp<kLogicalThreads>, Key, kLogicalThreads,
                                   kItems, Value>;

  public:
    __device__ explicit WarpMergeSort(typename Base::TempStorage& storage) : Base(storage) {}
};

}  // namespace cub
