#pragma once
// cub::DeviceReduce and cub::DeviceSegmentedReduce, on the host.
#pragma GCC system_header
#include "cub/detail/host_call.cuh"

namespace cub {
namespace detail {

template <class T, class In, class Op>
T least_of(In in, long long count, T of_none, Op op) {
    return count > 0 ? reduce_items<T>(in, count, op) : of_none;
}
// The pair of the index and the value for which better(value, best) holds against all before.
template <class Pair, class In, class Better>
Pair index_of(In in, long long count, decltype(Pair::value) of_none, Better better) {
    Pair best;
    best.key = 1;
    best.value = of_none;
    for (long long i = 0; i < count; ++i) {
        if (i > 0 && !better(in[i], best.value)) continue;
        best.key = static_cast<decltype(Pair::key)>(i);
        best.value = in[i];
    }
    return best;
}
struct LessThan {
    template <class T, class U>
    bool operator()(const T& a, const U& b) const {
        return a < b;
    }
};
struct GreaterThan {
    template <class T, class U>
    bool operator()(const T& a, const U& b) const {
        return b < a;
    }
};
template <class Out, class In>
struct ArgPair {
    using Value = typename std::iterator_traits<Out>::value_type;
    using Type = typename std::conditional<std::is_void<Value>::value,
                                           KeyValuePair<int, ValueOf<In>>, Value>::type;
};

}  // namespace detail

struct DeviceReduce {
    template <class In, class Out, class Op, class T, class Count>
    static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, Count count, Op op,
                              T initial, cudaStream_t = 0, bool = false) {
        return run("cub::DeviceReduce::Reduce", storage, bytes, in, out, count, [&] {
            using Sum = detail::Accumulator<Op, T, In>;
            *out = detail::reduce_from<Sum>(Sum(initial), in, count, op);
        });
    }
    template <class In, class Out, class Count>
    static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, Count count,
                           cudaStream_t = 0, bool = false) {
        return run("cub::DeviceReduce::Sum", storage, bytes, in, out, count, [&] {
            using T = detail::Accumulator<cub::Sum, typename detail::OutputOf<Out, In>::Type, In>;
            *out = detail::reduce_from<T>(T{}, in, count, cub::Sum());
        });
    }
    template <class In, class Out, class Count>
    static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, Count count,
                           cudaStream_t = 0, bool = false) {
        return run("cub::DeviceReduce::Min", storage, bytes, in, out, count, [&] {
            using T = detail::ValueOf<In>;
            *out = detail::least_of<T>(in, count, NumericTraits<T>::Max(), cub::Min());
        });
    }
    template <class In, class Out, class Count>
    static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, Count count,
                           cudaStream_t = 0, bool = false) {
        return run("cub::DeviceReduce::Max", storage, bytes, in, out, count, [&] {
            using T = detail::ValueOf<In>;
            *out = detail::least_of<T>(in, count, NumericTraits<T>::Lowest(), cub::Max());
        });
    }
    template <class In, class Out, class Count>
    static cudaError_t ArgMin(void* storage, std::size_t& bytes, In in, Out out, Count count,
                              cudaStream_t = 0, bool = false) {
        return run("cub::DeviceReduce::ArgMin", storage, bytes, in, out, count, [&] {
            using Pair = typename detail::ArgPair<Out, In>::Type;
            *out = detail::index_of<Pair>(in, count, NumericTraits<decltype(Pair::value)>::Max(),
                                          detail::LessThan());
        });
    }
    template <class In, class Out, class Count>
    static cudaError_t ArgMax(void* storage, std::size_t& bytes, In in, Out out, Count count,
                              cudaStream_t = 0, bool = false) {
        return run("cub::DeviceReduce::ArgMax", storage, bytes, in, out, count, [&] {
            using Pair = typename detail::ArgPair<Out, In>::Type;
            *out = detail::index_of<Pair>(in, count, NumericTraits<decltype(Pair::value)>::Lowest(),
                                          detail::GreaterThan());
        });
    }
    template <class In, class Out, class Op, class Transform, class T, class Count>
    static cudaError_t TransformReduce(void* storage, std::size_t& bytes, In in, Out out,
                                       Count count, Op op, Transform transform, T initial,
                                       cudaStream_t = 0) {
        using Made = typename std::decay<decltype(transform(*in))>::type;
        const TransformInputIterator<Made, Transform, In> made(in, transform);
        return run("cub::DeviceReduce::TransformReduce", storage, bytes, in, out, count, [&] {
            using Sum = detail::Accumulator<Op, T, TransformInputIterator<Made, Transform, In>>;
            *out = detail::reduce_from<Sum>(Sum(initial), made, count, op);
        });
    }
    template <class Keys, class Unique, class Values, class Out, class Runs, class Op, class Count>
    static cudaError_t ReduceByKey(void* storage, std::size_t& bytes, Keys keys, Unique unique,
                                   Values values, Out out, Runs runs, Op op, Count count,
                                   cudaStream_t = 0, bool = false) {
        return detail::on_host(
            "cub::DeviceReduce::ReduceByKey", storage, bytes,
            {detail::range(keys, count), detail::range(values, count), detail::range(runs, 1)},
            [&] {
                using Sum = detail::Accumulator<Op, detail::ValueOf<Values>, Values>;
                long long run = 0;
                for (long long i = 0; i < (long long)count; ++run) {
                    detail::ValueOf<Keys> key = keys[i];
                    Sum sum = values[i];
                    for (++i; i < (long long)count && keys[i] == key; ++i) sum = op(sum, values[i]);
                    unique[run] = key;
                    out[run] = sum;
                }
                *runs = run;
            });
    }

  private:
    template <class In, class Out, class Count, class Work>
    static cudaError_t run(const char* name, void* storage, std::size_t& bytes, In in, Out out,
                           Count count, Work&& work) {
        return detail::on_host(name, storage, bytes,
                               {detail::range(in, count), detail::range(out, 1)}, work);
    }
};

struct DeviceSegmentedReduce {
    template <class In, class Out, class Begins, class Ends, class Op, class T>
    static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, int segments,
                              Begins begins, Ends ends, Op op, T initial, cudaStream_t = 0,
                              bool = false) {
        using Sum = detail::Accumulator<Op, T, In>;
        return run("cub::DeviceSegmentedReduce::Reduce", storage, bytes, out, segments, begins,
                   ends, [&](long long begin, long long count) {
                       return detail::reduce_from<Sum>(Sum(initial), in + begin, count, op);
                   });
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, int segments,
                           Begins begins, Ends ends, cudaStream_t = 0, bool = false) {
        using T = detail::Accumulator<cub::Sum, typename detail::OutputOf<Out, In>::Type, In>;
        return run("cub::DeviceSegmentedReduce::Sum", storage, bytes, out, segments, begins, ends,
                   [&](long long begin, long long count) {
                       return detail::reduce_from<T>(T{}, in + begin, count, cub::Sum());
                   });
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, int segments,
                           Begins begins, Ends ends, cudaStream_t = 0, bool = false) {
        using T = detail::ValueOf<In>;
        return run("cub::DeviceSegmentedReduce::Min", storage, bytes, out, segments, begins, ends,
                   [&](long long begin, long long count) {
                       return detail::least_of<T>(in + begin, count, NumericTraits<T>::Max(),
                                                  cub::Min());
                   });
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, int segments,
                           Begins begins, Ends ends, cudaStream_t = 0, bool = false) {
        using T = detail::ValueOf<In>;
        return run("cub::DeviceSegmentedReduce::Max", storage, bytes, out, segments, begins, ends,
                   [&](long long begin, long long count) {
                       return detail::least_of<T>(in + begin, count, NumericTraits<T>::Lowest(),
                                                  cub::Max());
                   });
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t ArgMin(void* storage, std::size_t& bytes, In in, Out out, int segments,
                              Begins begins, Ends ends, cudaStream_t = 0, bool = false) {
        using Pair = typename detail::ArgPair<Out, In>::Type;
        return run("cub::DeviceSegmentedReduce::ArgMin", storage, bytes, out, segments, begins,
                   ends, [&](long long begin, long long count) {
                       return detail::index_of<Pair>(in + begin, count,
                                                     NumericTraits<decltype(Pair::value)>::Max(),
                                                     detail::LessThan());
                   });
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t ArgMax(void* storage, std::size_t& bytes, In in, Out out, int segments,
                              Begins begins, Ends ends, cudaStream_t = 0, bool = false) {
        using Pair = typename detail::ArgPair<Out, In>::Type;
        return run("cub::DeviceSegmentedReduce::ArgMax", storage, bytes, out, segments, begins,
                   ends, [&](long long begin, long long count) {
                       return detail::index_of<Pair>(in + begin, count,
                                                     NumericTraits<decltype(Pair::value)>::Lowest(),
                                                     detail::GreaterThan());
                   });
    }

  private:
    template <class Out, class Begins, class Ends, class Of>
    static cudaError_t run(const char* name, void* storage, std::size_t& bytes, Out out,
                           int segments, Begins begins, Ends ends, Of of) {
        return detail::on_host(name, storage, bytes,
                               {detail::range(out, segments), detail::range(begins, segments),
                                detail::range(ends, segments)},
                               [&] {
                                   for (int i = 0; i < segments; ++i) {
                                       const long long begin = begins[i], end = ends[i];
                                       out[i] = of(begin, end > begin ? end - begin : 0);
                                   }
                               });
    }
};

}  // namespace cub
