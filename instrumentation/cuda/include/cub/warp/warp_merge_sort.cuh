#pragma once
// cub::WarpMergeSort.
#pragma GCC system_header
#include "cub/detail/merge_sort.cuh"

namespace cub {

template <class Key, int kItems, int kLogicalThreads = kWarpThreads, class Value = NullType,
          int kArch = 0>
class WarpMergeSort {
    static constexpr int kThreads = kLogicalThreads;
    using Memory = detail::MergeMemory<Key, kThreads * kItems, Value>;

  public:
    struct TempStorage : Memory {};
    __device__ explicit WarpMergeSort(TempStorage& storage) : storage_(storage) {}

    template <class Less>
    __device__ void Sort(Key (&keys)[kItems], Less less) {
        NullType none[kItems];
        sort(keys, none, less);
    }
    template <class Less>
    __device__ void Sort(Key (&keys)[kItems], Less less, int valid, Key other) {
        detail::fill_behind(keys, thread() * kItems, valid, other);
        Sort(keys, less);
    }
    template <class Less>
    __device__ void Sort(Key (&keys)[kItems], Value (&values)[kItems], Less less) {
        sort(keys, values, less);
    }
    template <class Less>
    __device__ void Sort(Key (&keys)[kItems], Value (&values)[kItems], Less less, int valid,
                         Key other) {
        detail::fill_behind(keys, thread() * kItems, valid, other);
        Sort(keys, values, less);
    }
    template <class Less>
    __device__ void StableSort(Key (&keys)[kItems], Less less) {
        Sort(keys, less);
    }
    template <class Less>
    __device__ void StableSort(Key (&keys)[kItems], Less less, int valid, Key other) {
        Sort(keys, less, valid, other);
    }
    template <class Less>
    __device__ void StableSort(Key (&keys)[kItems], Value (&values)[kItems], Less less) {
        Sort(keys, values, less);
    }
    template <class Less>
    __device__ void StableSort(Key (&keys)[kItems], Value (&values)[kItems], Less less, int valid,
                               Key other) {
        Sort(keys, values, less, valid, other);
    }

  private:
    __device__ static int thread() { return detail::LogicalWarp<kLogicalThreads>().rank; }
    template <class V, class Less>
    __device__ void sort(Key (&keys)[kItems], V (&values)[kItems], Less less) {
        detail::merge_sort<kThreads>(
            thread(), keys, values, storage_.keys, storage_.values, less,
            [] { __syncwarp(detail::LogicalWarp<kLogicalThreads>().mask); });
    }

    TempStorage& storage_;
};

}  // namespace cub
