#pragma once
// cub::DeviceRadixSort, and the sorts of segments, on the host.
#pragma GCC system_header
#include "cub/detail/host_call.cuh"
#include "cub/detail/radix_key.cuh"

namespace cub {
namespace detail {

// The order of the keys by the bits from `begin_bit` to `end_bit`, equal ones in their old order.
template <class Key>
std::vector<std::size_t> radix_order(const Key* keys, std::size_t count, bool descending,
                                     int begin_bit, int end_bit) {
    struct Entry {
        typename RadixKey<Key>::Bits bits;
        std::size_t index;
    };
    std::vector<Entry> entries(count), sorted(count);
    for (std::size_t i = 0; i < count; ++i)
        entries[i] = {RadixKey<Key>::bits_of(keys[i], descending), i};
    for (int bit = begin_bit; bit < end_bit; bit += 8) {
        const auto mask = (1u << CUB_MIN(8, end_bit - bit)) - 1;
        const auto digit = [&](const Entry& entry) { return unsigned(entry.bits >> bit) & mask; };
        std::size_t places[257] = {};
        for (const Entry& entry : entries) ++places[digit(entry) + 1];
        for (int i = 0; i < 256; ++i) places[i + 1] += places[i];
        for (const Entry& entry : entries) sorted[places[digit(entry)]++] = entry;
        entries.swap(sorted);
    }
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = entries[i].index;
    return order;
}
template <class T>
void put_in_order(const T* in, T* out, const std::vector<std::size_t>& order) {
    const std::vector<T> before(in, in + order.size());  // the output may be the input
    for (std::size_t i = 0; i < order.size(); ++i) out[i] = before[order[i]];
}
template <>
inline void put_in_order(const NullType*, NullType*, const std::vector<std::size_t>&) {}

// Of keys, and of values where there are any.
template <class Key, class Value>
struct SortArrays {
    const Key* keys;
    Key* keys_out;
    const Value* values;
    Value* values_out;
    void sort(std::size_t begin, std::size_t count, bool descending, int begin_bit,
              int end_bit) const {
        const std::vector<std::size_t> order =
            radix_order(keys + begin, count, descending, begin_bit, end_bit);
        put_in_order(keys + begin, keys_out + begin, order);
        if constexpr (!std::is_same<Value, NullType>::value)
            put_in_order(values + begin, values_out + begin, order);
    }
};
template <class Key, class Value, class Count>
cudaError_t radix_sort(const char* name, void* storage, std::size_t& bytes,
                       const SortArrays<Key, Value>& arrays, Count count, bool descending,
                       int begin_bit, int end_bit) {
    return on_host(name, storage, bytes,
                   {range(arrays.keys, count), range(arrays.keys_out, count),
                    range(arrays.values, arrays.values ? count : 0),
                    range(arrays.values_out, arrays.values ? count : 0)},
                   [&] {
                       arrays.sort(0, count > 0 ? std::size_t(count) : 0, descending, begin_bit,
                                   end_bit);
                   });
}
template <class Key, class Value, class Count, class Begins, class Ends>
cudaError_t sort_segments(const char* name, void* storage, std::size_t& bytes,
                          const SortArrays<Key, Value>& arrays, Count count, int segments,
                          Begins begins, Ends ends, bool descending, int begin_bit, int end_bit) {
    return on_host(name, storage, bytes,
                   {range(arrays.keys, count), range(arrays.keys_out, count),
                    range(arrays.values, arrays.values ? count : 0),
                    range(arrays.values_out, arrays.values ? count : 0), range(begins, segments),
                    range(ends, segments)},
                   [&] {
                       for (int i = 0; i < segments; ++i)
                           if (ends[i] > begins[i])
                               arrays.sort(std::size_t(begins[i]), std::size_t(ends[i] - begins[i]),
                                           descending, begin_bit, end_bit);
                   });
}
template <class T>
void turn(DoubleBuffer<T>& buffer, const void* storage) {
    if (storage != nullptr) buffer.selector ^= 1;
}

}  // namespace detail

#define TILEREEL_CUB_SORTS(Suffix, descending)                                                     \
    template <class Key, class Count>                                                              \
    static cudaError_t SortKeys##Suffix(                                                           \
        void* storage, std::size_t& bytes, const Key* keys, Key* keys_out, Count count,            \
        int begin_bit = 0, int end_bit = sizeof(Key) * 8, cudaStream_t = 0, bool = false) {        \
        const detail::SortArrays<Key, NullType> arrays{keys, keys_out, nullptr, nullptr};          \
        return detail::radix_sort("cub::DeviceRadixSort::SortKeys" #Suffix, storage, bytes,        \
                                  arrays, count, descending, begin_bit, end_bit);                  \
    }                                                                                              \
    template <class Key, class Count>                                                              \
    static cudaError_t SortKeys##Suffix(                                                           \
        void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys, Count count,                   \
        int begin_bit = 0, int end_bit = sizeof(Key) * 8, cudaStream_t stream = 0, bool = false) { \
        const cudaError_t error = SortKeys##Suffix(                                                \
            storage, bytes, keys.Current(), keys.Alternate(), count, begin_bit, end_bit, stream);  \
        if (error == cudaSuccess) detail::turn(keys, storage);                                     \
        return error;                                                                              \
    }                                                                                              \
    template <class Key, class Value, class Count>                                                 \
    static cudaError_t SortPairs##Suffix(                                                          \
        void* storage, std::size_t& bytes, const Key* keys, Key* keys_out, const Value* values,    \
        Value* values_out, Count count, int begin_bit = 0, int end_bit = sizeof(Key) * 8,          \
        cudaStream_t = 0, bool = false) {                                                          \
        const detail::SortArrays<Key, Value> arrays{keys, keys_out, values, values_out};           \
        return detail::radix_sort("cub::DeviceRadixSort::SortPairs" #Suffix, storage, bytes,       \
                                  arrays, count, descending, begin_bit, end_bit);                  \
    }                                                                                              \
    template <class Key, class Value, class Count>                                                 \
    static cudaError_t SortPairs##Suffix(                                                          \
        void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values,   \
        Count count, int begin_bit = 0, int end_bit = sizeof(Key) * 8, cudaStream_t stream = 0,    \
        bool = false) {                                                                            \
        const cudaError_t error =                                                                  \
            SortPairs##Suffix(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),  \
                              values.Alternate(), count, begin_bit, end_bit, stream);              \
        if (error == cudaSuccess) detail::turn(keys, storage), detail::turn(values, storage);      \
        return error;                                                                              \
    }

struct DeviceRadixSort {
    TILEREEL_CUB_SORTS(, false)
    TILEREEL_CUB_SORTS(Descending, true)
};
#undef TILEREEL_CUB_SORTS

// The first class takes a range of bits behind the offsets, the second one does not.
#define TILEREEL_CUB_SEGMENTS(Class, Suffix, descending, BITS, BEGIN, END)                         \
    template <class Key, class Count, class Begins, class Ends>                                    \
    static cudaError_t SortKeys##Suffix(void* storage, std::size_t& bytes, const Key* keys,        \
                                        Key* keys_out, Count count, int segments, Begins begins,   \
                                        Ends ends BITS, cudaStream_t = 0, bool = false) {          \
        const detail::SortArrays<Key, NullType> arrays{keys, keys_out, nullptr, nullptr};          \
        return detail::sort_segments("cub::" #Class "::SortKeys" #Suffix, storage, bytes, arrays,  \
                                     count, segments, begins, ends, descending, BEGIN, END);       \
    }                                                                                              \
    template <class Key, class Value, class Count, class Begins, class Ends>                       \
    static cudaError_t SortPairs##Suffix(void* storage, std::size_t& bytes, const Key* keys,       \
                                         Key* keys_out, const Value* values, Value* values_out,    \
                                         Count count, int segments, Begins begins, Ends ends BITS, \
                                         cudaStream_t = 0, bool = false) {                         \
        const detail::SortArrays<Key, Value> arrays{keys, keys_out, values, values_out};           \
        return detail::sort_segments("cub::" #Class "::SortPairs" #Suffix, storage, bytes, arrays, \
                                     count, segments, begins, ends, descending, BEGIN, END);       \
    }
#define TILEREEL_CUB_BITS , int begin_bit = 0, int end_bit = sizeof(Key) * 8

struct DeviceSegmentedRadixSort {
    TILEREEL_CUB_SEGMENTS(DeviceSegmentedRadixSort, , false, TILEREEL_CUB_BITS, begin_bit, end_bit)
    TILEREEL_CUB_SEGMENTS(DeviceSegmentedRadixSort, Descending, true, TILEREEL_CUB_BITS, begin_bit,
                          end_bit)
};
struct DeviceSegmentedSort {
    TILEREEL_CUB_SEGMENTS(DeviceSegmentedSort, , false, , 0, sizeof(Key) * 8)
    TILEREEL_CUB_SEGMENTS(DeviceSegmentedSort, Descending, true, , 0, sizeof(Key) * 8)
};
#undef TILEREEL_CUB_SEGMENTS
#undef TILEREEL_CUB_BITS

}  // namespace cub
