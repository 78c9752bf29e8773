#pragma once
// cub::DeviceSelect and cub::DevicePartition, on the host.
#pragma GCC system_header
#include "cub/detail/host_call.cuh"

namespace cub {
namespace detail {

// The items that `chosen(i, item)` chooses, in order. The output may be the input.
template <class In, class Out, class Number, class Count, class Chosen>
cudaError_t select(const char* name, void* storage, std::size_t& bytes, In in, Out out,
                   Number number, Count count, Chosen chosen) {
    return on_host(name, storage, bytes, {range(in, count), range(number, 1)}, [&] {
        long long selected = 0;
        for (Count i = 0; i < count; ++i) {
            ValueOf<In> item = in[i];
            if (chosen(i, item)) out[selected++] = item;
        }
        *number = selected;
    });
}
// Those that are not chosen follow from the end, in reverse order.
template <class In, class Out, class Number, class Count, class Chosen>
cudaError_t partition(const char* name, void* storage, std::size_t& bytes, In in, Out out,
                      Number number, Count count, Chosen chosen) {
    return on_host(name, storage, bytes, {range(in, count), range(out, count), range(number, 1)},
                   [&] {
                       long long selected = 0, rejected = 0;
                       for (Count i = 0; i < count; ++i) {
                           ValueOf<In> item = in[i];
                           if (chosen(i, item))
                               out[selected++] = item;
                           else
                               out[(long long)count - ++rejected] = item;
                       }
                       *number = selected;
                   });
}

}  // namespace detail

struct DeviceSelect {
    template <class In, class Flags, class Out, class Number, class Count>
    static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out,
                               Number number, Count count, cudaStream_t = 0, bool = false) {
        return detail::select("cub::DeviceSelect::Flagged", storage, bytes, in, out, number, count,
                              [&](Count i, auto&) { return bool(flags[i]); });
    }
    template <class Data, class Flags, class Number, class Count,
              class = typename std::enable_if<std::is_integral<Count>::value>::type>
    static cudaError_t Flagged(void* storage, std::size_t& bytes, Data data, Flags flags,
                               Number number, Count count, cudaStream_t = 0) {
        return detail::select("cub::DeviceSelect::Flagged", storage, bytes, data, data, number,
                              count, [&](Count i, auto&) { return bool(flags[i]); });
    }
    template <class In, class Out, class Number, class Count, class Op>
    static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Number number,
                          Count count, Op op, cudaStream_t = 0, bool = false) {
        return detail::select("cub::DeviceSelect::If", storage, bytes, in, out, number, count,
                              [&](Count, auto& item) { return bool(op(item)); });
    }
    template <class Data, class Number, class Count, class Op,
              class = typename std::enable_if<std::is_integral<Count>::value>::type>
    static cudaError_t If(void* storage, std::size_t& bytes, Data data, Number number, Count count,
                          Op op, cudaStream_t = 0) {
        return detail::select("cub::DeviceSelect::If", storage, bytes, data, data, number, count,
                              [&](Count, auto& item) { return bool(op(item)); });
    }
    template <class In, class Flags, class Out, class Number, class Count, class Op>
    static cudaError_t FlaggedIf(void* storage, std::size_t& bytes, In in, Flags flags, Out out,
                                 Number number, Count count, Op op, cudaStream_t = 0) {
        return detail::select("cub::DeviceSelect::FlaggedIf", storage, bytes, in, out, number,
                              count, [&](Count i, auto&) { return bool(op(flags[i])); });
    }
    // The first item of each run of equal ones.
    template <class In, class Out, class Number, class Count>
    static cudaError_t Unique(void* storage, std::size_t& bytes, In in, Out out, Number number,
                              Count count, cudaStream_t = 0, bool = false) {
        detail::ValueOf<In> last{};
        return detail::select("cub::DeviceSelect::Unique", storage, bytes, in, out, number, count,
                              [&](Count i, auto& item) {
                                  const bool starts = i == 0 || !(last == item);
                                  last = item;
                                  return starts;
                              });
    }
    template <class Keys, class Values, class KeysOut, class ValuesOut, class Number, class Count,
              class Equal = cub::Equality>
    static cudaError_t UniqueByKey(void* storage, std::size_t& bytes, Keys keys, Values values,
                                   KeysOut keys_out, ValuesOut values_out, Number number,
                                   Count count, Equal equal = Equal(), cudaStream_t = 0) {
        return detail::on_host(
            "cub::DeviceSelect::UniqueByKey", storage, bytes,
            {detail::range(keys, count), detail::range(values, count), detail::range(number, 1)},
            [&] {
                long long selected = 0;
                detail::ValueOf<Keys> last{};
                for (Count i = 0; i < count; ++i) {
                    detail::ValueOf<Keys> key = keys[i];
                    if (i == 0 || !equal(last, key)) {
                        keys_out[selected] = key;
                        values_out[selected++] = values[i];
                    }
                    last = key;
                }
                *number = selected;
            });
    }
};

struct DevicePartition {
    template <class In, class Flags, class Out, class Number, class Count>
    static cudaError_t Flagged(void* storage, std::size_t& bytes, In in, Flags flags, Out out,
                               Number number, Count count, cudaStream_t = 0, bool = false) {
        return detail::partition("cub::DevicePartition::Flagged", storage, bytes, in, out, number,
                                 count, [&](Count i, auto&) { return bool(flags[i]); });
    }
    template <class In, class Out, class Number, class Count, class Op>
    static cudaError_t If(void* storage, std::size_t& bytes, In in, Out out, Number number,
                          Count count, Op op, cudaStream_t = 0, bool = false) {
        return detail::partition("cub::DevicePartition::If", storage, bytes, in, out, number, count,
                                 [&](Count, auto& item) { return bool(op(item)); });
    }
    // Three parts: `numbers` gets the sizes of the first two.
    template <class In, class First, class Second, class Rest, class Numbers, class Count,
              class Op1, class Op2>
    static cudaError_t If(void* storage, std::size_t& bytes, In in, First first, Second second,
                          Rest rest, Numbers numbers, Count count, Op1 op1, Op2 op2,
                          cudaStream_t = 0) {
        return detail::on_host("cub::DevicePartition::If", storage, bytes,
                               {detail::range(in, count), detail::range(numbers, 2)}, [&] {
                                   long long counts[3] = {0, 0, 0};
                                   for (Count i = 0; i < count; ++i) {
                                       detail::ValueOf<In> item = in[i];
                                       if (op1(item))
                                           first[counts[0]++] = item;
                                       else if (op2(item))
                                           second[counts[1]++] = item;
                                       else
                                           rest[counts[2]++] = item;
                                   }
                                   numbers[0] = counts[0];
                                   numbers[1] = counts[1];
                               });
    }
};

}  // namespace cub
