#pragma once
// cub::DeviceMergeSort, on the host.
#pragma GCC system_header
#include "cub/detail/host_call.cuh"

namespace cub {

struct DeviceMergeSort {
    template <class Keys, class Count, class Less>
    static cudaError_t SortKeys(void* storage, std::size_t& bytes, Keys keys, Count count,
                                Less less, cudaStream_t = 0, bool = false) {
        return SortKeysCopy(storage, bytes, keys, keys, count, less);
    }
    template <class Keys, class Count, class Less>
    static cudaError_t StableSortKeys(void* storage, std::size_t& bytes, Keys keys, Count count,
                                      Less less, cudaStream_t = 0, bool = false) {
        return SortKeysCopy(storage, bytes, keys, keys, count, less);
    }
    template <class Keys, class Out, class Count, class Less>
    static cudaError_t SortKeysCopy(void* storage, std::size_t& bytes, Keys keys, Out out,
                                    Count count, Less less, cudaStream_t = 0, bool = false) {
        return detail::on_host("cub::DeviceMergeSort::SortKeys", storage, bytes,
                               {detail::range(keys, count), detail::range(out, count)}, [&] {
                                   std::vector<detail::ValueOf<Keys>> sorted(keys, keys + count);
                                   std::stable_sort(sorted.begin(), sorted.end(), less);
                                   for (Count i = 0; i < count; ++i) out[i] = sorted[i];
                               });
    }
    template <class Keys, class Values, class Count, class Less>
    static cudaError_t SortPairs(void* storage, std::size_t& bytes, Keys keys, Values values,
                                 Count count, Less less, cudaStream_t = 0, bool = false) {
        return SortPairsCopy(storage, bytes, keys, values, keys, values, count, less);
    }
    template <class Keys, class Values, class Count, class Less>
    static cudaError_t StableSortPairs(void* storage, std::size_t& bytes, Keys keys, Values values,
                                       Count count, Less less, cudaStream_t = 0, bool = false) {
        return SortPairsCopy(storage, bytes, keys, values, keys, values, count, less);
    }
    template <class Keys, class Values, class KeysOut, class ValuesOut, class Count, class Less>
    static cudaError_t SortPairsCopy(void* storage, std::size_t& bytes, Keys keys, Values values,
                                     KeysOut keys_out, ValuesOut values_out, Count count, Less less,
                                     cudaStream_t = 0, bool = false) {
        return detail::on_host(
            "cub::DeviceMergeSort::SortPairs", storage, bytes,
            {detail::range(keys, count), detail::range(values, count),
             detail::range(keys_out, count), detail::range(values_out, count)},
            [&] {
                const std::vector<detail::ValueOf<Keys>> old_keys(keys, keys + count);
                const std::vector<detail::ValueOf<Values>> old_values(values, values + count);
                std::vector<std::size_t> order(old_keys.size());
                for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
                std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                    return less(old_keys[a], old_keys[b]);
                });
                for (Count i = 0; i < count; ++i) {
                    keys_out[i] = old_keys[order[i]];
                    values_out[i] = old_values[order[i]];
                }
            });
    }
};

}  // namespace cub
