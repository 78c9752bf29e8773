#pragma once
// cub::DeviceFor, cub::DeviceTransform, cub::DeviceAdjacentDifference, cub::DeviceMemcpy and
// cub::DeviceCopy, on the host.
#pragma GCC system_header
#include "cub/detail/host_call.cuh"

namespace cub {

struct DeviceFor {
    template <class Count, class Op>
    static cudaError_t Bulk(void* storage, std::size_t& bytes, Count count, Op op,
                            cudaStream_t = 0) {
        return detail::on_host("cub::DeviceFor::Bulk", storage, bytes, {}, [&] {
            for (Count i = 0; i < count; ++i) op(i);
        });
    }
    template <class In, class Count, class Op>
    static cudaError_t ForEachN(void* storage, std::size_t& bytes, In first, Count count, Op op,
                                cudaStream_t = 0) {
        return detail::on_host("cub::DeviceFor::ForEachN", storage, bytes,
                               {detail::range(first, count)}, [&] {
                                   for (Count i = 0; i < count; ++i) op(first[i]);
                               });
    }
    template <class In, class Op>
    static cudaError_t ForEach(void* storage, std::size_t& bytes, In first, In last, Op op,
                               cudaStream_t stream = 0) {
        return ForEachN(storage, bytes, first, last - first, op, stream);
    }
    // Without storage.
    template <class Count, class Op,
              class = typename std::enable_if<std::is_integral<Count>::value>::type>
    static cudaError_t Bulk(Count count, Op op, cudaStream_t stream = 0) {
        std::size_t bytes = 0;
        return Bulk(&bytes, bytes, count, op, stream);
    }
    template <class In, class Count, class Op,
              class = typename std::enable_if<std::is_integral<Count>::value>::type>
    static cudaError_t ForEachN(In first, Count count, Op op, cudaStream_t stream = 0) {
        std::size_t bytes = 0;
        return ForEachN(&bytes, bytes, first, count, op, stream);
    }
    template <class In, class Op>
    static cudaError_t ForEach(In first, In last, Op op, cudaStream_t stream = 0) {
        return ForEachN(first, last - first, op, stream);
    }
    template <class In, class Op>
    static cudaError_t ForEachCopy(In first, In last, Op op, cudaStream_t stream = 0) {
        return ForEachN(first, last - first, op, stream);
    }
    template <class In, class Count, class Op>
    static cudaError_t ForEachCopyN(In first, Count count, Op op, cudaStream_t stream = 0) {
        return ForEachN(first, count, op, stream);
    }
};

struct DeviceTransform {
    template <class In, class Out, class Count, class Op>
    static cudaError_t Transform(In in, Out out, Count count, Op op, cudaStream_t = 0) {
        std::size_t bytes = 0;
        return detail::on_host("cub::DeviceTransform::Transform", &bytes, bytes,
                               {detail::range(in, count), detail::range(out, count)}, [&] {
                                   for (Count i = 0; i < count; ++i) out[i] = op(in[i]);
                               });
    }
};

struct DeviceAdjacentDifference {
    template <class In, class Out, class Count, class Op = cub::Difference>
    static cudaError_t SubtractLeftCopy(void* storage, std::size_t& bytes, In in, Out out,
                                        Count count, Op op = Op(), cudaStream_t = 0) {
        return detail::on_host("cub::DeviceAdjacentDifference::SubtractLeft", storage, bytes,
                               {detail::range(in, count), detail::range(out, count)}, [&] {
                                   detail::ValueOf<In> before{};
                                   for (Count i = 0; i < count; ++i) {
                                       detail::ValueOf<In> item = in[i];
                                       if (i == 0)
                                           out[i] = item;
                                       else
                                           out[i] = op(item, before);
                                       before = item;
                                   }
                               });
    }
    template <class Data, class Count, class Op = cub::Difference>
    static cudaError_t SubtractLeft(void* storage, std::size_t& bytes, Data data, Count count,
                                    Op op = Op(), cudaStream_t stream = 0) {
        return SubtractLeftCopy(storage, bytes, data, data, count, op, stream);
    }
    template <class In, class Out, class Count, class Op = cub::Difference>
    static cudaError_t SubtractRightCopy(void* storage, std::size_t& bytes, In in, Out out,
                                         Count count, Op op = Op(), cudaStream_t = 0) {
        return detail::on_host("cub::DeviceAdjacentDifference::SubtractRight", storage, bytes,
                               {detail::range(in, count), detail::range(out, count)}, [&] {
                                   for (Count i = 0; i < count; ++i) {
                                       if (i + 1 < count)
                                           out[i] = op(in[i], in[i + 1]);
                                       else
                                           out[i] = in[i];
                                   }
                               });
    }
    template <class Data, class Count, class Op = cub::Difference>
    static cudaError_t SubtractRight(void* storage, std::size_t& bytes, Data data, Count count,
                                     Op op = Op(), cudaStream_t stream = 0) {
        return SubtractRightCopy(storage, bytes, data, data, count, op, stream);
    }
};

struct DeviceMemcpy {
    template <class From, class To, class Sizes>
    static cudaError_t Batched(void* storage, std::size_t& bytes, From from, To to, Sizes sizes,
                               unsigned count, cudaStream_t = 0) {
        return detail::on_host("cub::DeviceMemcpy::Batched", storage, bytes,
                               {detail::range(from, count), detail::range(to, count)}, [&] {
                                   for (unsigned i = 0; i < count; ++i)
                                       std::memcpy((void*)to[i], (const void*)from[i], sizes[i]);
                               });
    }
};
struct DeviceCopy {
    template <class From, class To, class Sizes>
    static cudaError_t Batched(void* storage, std::size_t& bytes, From from, To to, Sizes sizes,
                               unsigned count, cudaStream_t = 0) {
        return detail::on_host("cub::DeviceCopy::Batched", storage, bytes, {}, [&] {
            for (unsigned i = 0; i < count; ++i) {
                auto source = from[i];
                auto target = to[i];
                for (long long k = 0; k < (long long)sizes[i]; ++k) target[k] = source[k];
            }
        });
    }
};

}  // namespace cub
