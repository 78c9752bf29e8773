#pragma once
// cub::BlockHistogram. BLOCK_HISTO_SORT leaves the items sorted; the other algorithm adds one to a
// bin for each item, atomically.
#pragma GCC system_header
#include "cub/block/block_discontinuity.cuh"
#include "cub/block/block_radix_sort.cuh"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace detail {

// Where the run of each bin's items begins and ends in the sorted items of the block.
template <int kBins>
struct RunsOfBins {
    unsigned begin[kBins], end[kBins];
};
template <int kBins>
struct NoteRuns {
    RunsOfBins<kBins>& runs;
    template <class T>
    __device__ bool operator()(const T& a, const T& b, int index) const {
        if (a == b) return false;
        runs.end[a] = runs.begin[b] = index;
        return true;
    }
};

}  // namespace detail

template <class T, int kX, int kItems, int kBins,
          BlockHistogramAlgorithm kAlgorithm = BLOCK_HISTO_SORT, int kY = 1, int kZ = 1,
          int kArch = 0>
class BlockHistogram {
    static constexpr bool kSorts = kAlgorithm == BLOCK_HISTO_SORT;
    static constexpr int kThreads = kX * kY * kZ;
    using Sort = BlockRadixSort<T, kX, kItems, NullType, 4, true, BLOCK_SCAN_WARP_SCANS,
                                cudaSharedMemBankSizeFourByte, kY, kZ>;
    using Heads = BlockDiscontinuity<T, kX, kY, kZ>;
    union SortStorage {
        typename Sort::TempStorage sort;
        struct {
            typename Heads::TempStorage heads;
            detail::RunsOfBins<kBins> runs;
        } sorted;
    };

  public:
    using TempStorage = typename std::conditional<kSorts, SortStorage, NullType>::type;
    __device__ BlockHistogram() : storage_(own_storage()) {}
    __device__ explicit BlockHistogram(TempStorage& storage) : storage_(storage) {}

    template <class Counter>
    __device__ void InitHistogram(Counter* histogram) {
        for (int i = thread(); i < kBins; i += kThreads) histogram[i] = 0;
    }
    template <class Counter>
    __device__ void Histogram(T (&items)[kItems], Counter* histogram) {
        InitHistogram(histogram);
        __syncthreads();
        Composite(items, histogram);
    }
    template <class Counter>
    __device__ void Composite(T (&items)[kItems], Counter* histogram) {
        if constexpr (kSorts)
            add_runs(items, histogram);
        else
            for (int i = 0; i < kItems; ++i) atomicAdd(&histogram[items[i]], Counter(1));
    }

  private:
    __device__ static TempStorage& own_storage() {
        __shared__ TempStorage storage;
        return storage;
    }
    __device__ static int thread() { return detail::thread_of_block<kX, kY, kZ>(); }

    template <class Counter>
    __device__ void add_runs(T (&items)[kItems], Counter* histogram) {
        Sort(storage_.sort).Sort(items);
        __syncthreads();
        detail::RunsOfBins<kBins>& runs = storage_.sorted.runs;
        for (int i = thread(); i < kBins; i += kThreads)
            runs.begin[i] = runs.end[i] = kThreads * kItems;
        __syncthreads();
        int heads[kItems];
        Heads(storage_.sorted.heads).FlagHeads(heads, items, detail::NoteRuns<kBins>{runs});
        if (thread() == 0) runs.begin[items[0]] = 0;
        __syncthreads();
        for (int i = thread(); i < kBins; i += kThreads)
            histogram[i] += Counter(runs.end[i] - runs.begin[i]);
    }

    TempStorage& storage_;
};

}  // namespace cub
