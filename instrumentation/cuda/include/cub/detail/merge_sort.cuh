#pragma once
// A stable merge sort of items in shared memory: each thread sorts its own, then groups of threads
// merge pairs of sorted runs, each thread its part of the result.
#pragma GCC system_header
#include "cub/util_ptx.cuh"

namespace cub {
namespace detail {

template <class Key, int kItems, class Value, class Less>
__device__ inline void sort_own(Key (&keys)[kItems], Value (&values)[kItems], Less less) {
    for (int i = 1; i < kItems; ++i)
        for (int k = i; k > 0 && less(keys[k], keys[k - 1]); --k) {
            Key key = keys[k];
            keys[k] = keys[k - 1], keys[k - 1] = key;
            const Value value = values[k];
            values[k] = values[k - 1], values[k - 1] = value;
        }
}

// `sync()`: a barrier of the threads. `valid`: items behind it stay where they are.
template <int kThreads, class Key, int kItems, class Value, class KeyMemory, class ValueMemory,
          class Less, class Sync>
__device__ inline void merge_sort(int thread, Key (&keys)[kItems], Value (&values)[kItems],
                                  KeyMemory& key_memory, ValueMemory& value_memory, Less less,
                                  Sync sync) {
    constexpr bool kPairs = !std::is_same<Value, NullType>::value;
    sort_own(keys, values, less);
    for (int run = 1; run < kThreads; run *= 2) {
        for (int i = 0; i < kItems; ++i) {
            key_memory[thread * kItems + i] = keys[i];
            if constexpr (kPairs) value_memory[thread * kItems + i] = values[i];
        }
        sync();
        const int total = kThreads * kItems, first = thread / (2 * run) * 2 * run * kItems;
        const int middle = CUB_MIN(first + run * kItems, total);
        const int end = CUB_MIN(first + 2 * run * kItems, total);
        const int diagonal = thread * kItems - first;
        int low = CUB_MAX(0, diagonal - (end - middle)), high = CUB_MIN(diagonal, middle - first);
        while (low < high) {
            const int half = (low + high) / 2;
            Key a = key_memory[first + half], b = key_memory[middle + diagonal - half - 1];
            if (less(b, a))
                high = half;
            else
                low = half + 1;
        }
        int left = first + low, right = middle + diagonal - low;
        for (int i = 0; i < kItems; ++i) {
            bool from_right = left >= middle;
            if (!from_right && right < end) {
                Key a = key_memory[left], b = key_memory[right];
                from_right = less(b, a);
            }
            const int at = from_right ? right++ : left++;
            keys[i] = key_memory[at];
            if constexpr (kPairs) values[i] = value_memory[at];
        }
        sync();
    }
}

template <class Key, int kCount, class Value>
struct MergeMemory {
    Items<Key, kCount> keys;
    typename std::conditional<std::is_same<Value, NullType>::value, NullType,
                              Items<Value, kCount>>::type values;
};

// Items behind `valid` become `other`, which is not less than any.
template <class Key, int kItems>
__device__ inline void fill_behind(Key (&keys)[kItems], int first, int valid, const Key& other) {
    for (int i = 0; i < kItems; ++i)
        if (first + i >= valid) keys[i] = other;
}

// What the sorts of a warp and of a block share. `Group`: thread() is the thread's number among
// the kThreads that sort together, sync() is their barrier.
template <class Group, class Key, int kThreads, int kItems, class Value>
class MergeSort {
  public:
    struct TempStorage : MergeMemory<Key, kThreads * kItems, Value> {};
    __device__ explicit MergeSort(TempStorage& storage) : storage_(storage) {}

    template <class Less>
    __device__ void Sort(Key (&keys)[kItems], Less less) {
        NullType none[kItems];
        sort(keys, none, less);
    }
    template <class Less>
    __device__ void Sort(Key (&keys)[kItems], Less less, int valid, Key other) {
        fill_behind(keys, Group::thread() * kItems, valid, other);
        Sort(keys, less);
    }
    template <class Less>
    __device__ void Sort(Key (&keys)[kItems], Value (&values)[kItems], Less less) {
        sort(keys, values, less);
    }
    template <class Less>
    __device__ void Sort(Key (&keys)[kItems], Value (&values)[kItems], Less less, int valid,
                         Key other) {
        fill_behind(keys, Group::thread() * kItems, valid, other);
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
    template <class V, class Less>
    __device__ void sort(Key (&keys)[kItems], V (&values)[kItems], Less less) {
        merge_sort<kThreads>(Group::thread(), keys, values, storage_.keys, storage_.values, less,
                             [] { Group::sync(); });
    }

    TempStorage& storage_;
};

}  // namespace detail
}  // namespace cub
