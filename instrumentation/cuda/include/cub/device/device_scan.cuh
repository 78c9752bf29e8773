#pragma once
// cub::DeviceScan, on the host.
#pragma GCC system_header
#include "cub/detail/host_call.cuh"

namespace cub {

struct DeviceScan {
    template <class In, class Out, class Count>
    static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In in, Out out, Count count,
                                    cudaStream_t = 0, bool = false) {
        using T = detail::Accumulator<cub::Sum, detail::ValueOf<In>, In>;
        return exclusive("cub::DeviceScan::ExclusiveSum", storage, bytes, in, out, cub::Sum(), T{},
                         count);
    }
    template <class Data, class Count,
              class = typename std::enable_if<std::is_integral<Count>::value>::type>
    static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, Data data, Count count,
                                    cudaStream_t stream = 0, bool = false) {
        return ExclusiveSum(storage, bytes, data, data, count, stream);
    }
    template <class In, class Out, class Count>
    static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out, Count count,
                                    cudaStream_t = 0, bool = false) {
        return inclusive("cub::DeviceScan::InclusiveSum", storage, bytes, in, out, cub::Sum(),
                         count);
    }
    template <class Data, class Count,
              class = typename std::enable_if<std::is_integral<Count>::value>::type>
    static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, Data data, Count count,
                                    cudaStream_t stream = 0, bool = false) {
        return InclusiveSum(storage, bytes, data, data, count, stream);
    }
    template <class In, class Out, class Op, class T, class Count>
    static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Op op,
                                     T initial, Count count, cudaStream_t = 0, bool = false) {
        using Sum = detail::Accumulator<Op, T, In>;
        return exclusive("cub::DeviceScan::ExclusiveScan", storage, bytes, in, out, op,
                         Sum(initial), count);
    }
    template <class In, class Out, class Op, class Count>
    static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out, Op op,
                                     Count count, cudaStream_t = 0, bool = false) {
        return inclusive("cub::DeviceScan::InclusiveScan", storage, bytes, in, out, op, count);
    }
    template <class In, class Out, class Op, class T, class Count>
    static cudaError_t InclusiveScanInit(void* storage, std::size_t& bytes, In in, Out out, Op op,
                                         T initial, Count count, cudaStream_t = 0) {
        return run("cub::DeviceScan::InclusiveScanInit", storage, bytes, in, out, count, [&] {
            detail::Accumulator<Op, T, In> sum = initial;
            for (Count i = 0; i < count; ++i) out[i] = sum = op(sum, in[i]);
        });
    }
    template <class Keys, class In, class Out, class Count, class Equal = cub::Equality>
    static cudaError_t ExclusiveSumByKey(void* storage, std::size_t& bytes, Keys keys, In in,
                                         Out out, Count count, Equal equal = Equal(),
                                         cudaStream_t stream = 0) {
        return ExclusiveScanByKey(storage, bytes, keys, in, out, cub::Sum(), detail::ValueOf<In>{},
                                  count, equal, stream);
    }
    template <class Keys, class In, class Out, class Count, class Equal = cub::Equality>
    static cudaError_t InclusiveSumByKey(void* storage, std::size_t& bytes, Keys keys, In in,
                                         Out out, Count count, Equal equal = Equal(),
                                         cudaStream_t stream = 0) {
        return InclusiveScanByKey(storage, bytes, keys, in, out, cub::Sum(), count, equal, stream);
    }
    template <class Keys, class In, class Out, class Op, class T, class Count,
              class Equal = cub::Equality>
    static cudaError_t ExclusiveScanByKey(void* storage, std::size_t& bytes, Keys keys, In in,
                                          Out out, Op op, T initial, Count count,
                                          Equal equal = Equal(), cudaStream_t = 0) {
        return run("cub::DeviceScan::ExclusiveScanByKey", storage, bytes, in, out, count, [&] {
            detail::Accumulator<Op, T, In> sum = initial;
            for (Count i = 0; i < count; ++i) {
                if (i > 0 && !equal(keys[i - 1], keys[i])) sum = initial;
                detail::ValueOf<In> item = in[i];
                out[i] = sum;
                sum = op(sum, item);
            }
        });
    }
    template <class Keys, class In, class Out, class Op, class Count, class Equal = cub::Equality>
    static cudaError_t InclusiveScanByKey(void* storage, std::size_t& bytes, Keys keys, In in,
                                          Out out, Op op, Count count, Equal equal = Equal(),
                                          cudaStream_t = 0) {
        return run("cub::DeviceScan::InclusiveScanByKey", storage, bytes, in, out, count, [&] {
            detail::Accumulator<Op, detail::ValueOf<In>, In> sum{};
            for (Count i = 0; i < count; ++i) {
                detail::ValueOf<In> item = in[i];
                if (i > 0 && equal(keys[i - 1], keys[i]))
                    sum = op(sum, item);
                else
                    sum = item;
                out[i] = sum;
            }
        });
    }

  private:
    template <class In, class Out, class Count, class Work>
    static cudaError_t run(const char* name, void* storage, std::size_t& bytes, In in, Out out,
                           Count count, Work&& work) {
        return detail::on_host(name, storage, bytes,
                               {detail::range(in, count), detail::range(out, count)}, work);
    }
    template <class In, class Out, class Op, class Sum, class Count>
    static cudaError_t exclusive(const char* name, void* storage, std::size_t& bytes, In in,
                                 Out out, Op op, Sum sum, Count count) {
        return run(name, storage, bytes, in, out, count, [&] {
            for (Count i = 0; i < count; ++i) {
                detail::ValueOf<In> item = in[i];  // the output may be the input
                out[i] = sum;
                sum = op(sum, item);
            }
        });
    }
    template <class In, class Out, class Op, class Count>
    static cudaError_t inclusive(const char* name, void* storage, std::size_t& bytes, In in,
                                 Out out, Op op, Count count) {
        return run(name, storage, bytes, in, out, count, [&] {
            if (count < 1) return;
            detail::Accumulator<Op, detail::ValueOf<In>, In> sum = in[0];
            out[0] = sum;
            for (Count i = 1; i < count; ++i) out[i] = sum = op(sum, in[i]);
        });
    }
};

}  // namespace cub
