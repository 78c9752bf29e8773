#pragma once
// cub::DeviceRunLengthEncode, on the host.
#pragma GCC system_header
#include "cub/detail/host_call.cuh"

namespace cub {

struct DeviceRunLengthEncode {
    template <class In, class Unique, class Lengths, class Number, class Count>
    static cudaError_t Encode(void* storage, std::size_t& bytes, In in, Unique unique,
                              Lengths lengths, Number number, Count count, cudaStream_t = 0,
                              bool = false) {
        return detail::on_host("cub::DeviceRunLengthEncode::Encode", storage, bytes,
                               {detail::range(in, count), detail::range(number, 1)}, [&] {
                                   long long run = 0;
                                   for_each_run(in, count, [&](long long first, long long length) {
                                       unique[run] = in[first];
                                       lengths[run++] = length;
                                   });
                                   *number = run;
                               });
    }
    // The runs of more than one item.
    template <class In, class Offsets, class Lengths, class Number, class Count>
    static cudaError_t NonTrivialRuns(void* storage, std::size_t& bytes, In in, Offsets offsets,
                                      Lengths lengths, Number number, Count count, cudaStream_t = 0,
                                      bool = false) {
        return detail::on_host("cub::DeviceRunLengthEncode::NonTrivialRuns", storage, bytes,
                               {detail::range(in, count), detail::range(number, 1)}, [&] {
                                   long long run = 0;
                                   for_each_run(in, count, [&](long long first, long long length) {
                                       if (length < 2) return;
                                       offsets[run] = first;
                                       lengths[run++] = length;
                                   });
                                   *number = run;
                               });
    }

  private:
    template <class In, class Count, class Take>
    static void for_each_run(In in, Count count, Take take) {
        for (long long first = 0; first < (long long)count;) {
            detail::ValueOf<In> value = in[first];
            long long end = first + 1;
            while (end < (long long)count && in[end] == value) ++end;
            take(first, end - first);
            first = end;
        }
    }
};

}  // namespace cub
