#pragma once
// cub::BlockHistogram. Both algorithms are the same here: atomic additions.
#pragma GCC system_header
#include "cub/util_ptx.cuh"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int kX, int kItems, int kBins,
          BlockHistogramAlgorithm kAlgorithm = BLOCK_HISTO_SORT, int kY = 1, int kZ = 1,
          int kArch = 0>
class BlockHistogram {
  public:
    struct TempStorage {};
    __device__ BlockHistogram() {}
    __device__ explicit BlockHistogram(TempStorage&) {}

    template <class Counter>
    __device__ void InitHistogram(Counter (&histogram)[kBins]) {
        for (int i = detail::thread_of_block<kX, kY, kZ>(); i < kBins; i += kX * kY * kZ)
            histogram[i] = 0;
    }
    template <class Counter>
    __device__ void Histogram(T (&items)[kItems], Counter (&histogram)[kBins]) {
        InitHistogram(histogram);
        __syncthreads();
        Composite(items, histogram);
    }
    template <class Counter>
    __device__ void Composite(T (&items)[kItems], Counter (&histogram)[kBins]) {
        for (int i = 0; i < kItems; ++i) atomicAdd(&histogram[items[i]], Counter(1));
    }
};

}  // namespace cub
