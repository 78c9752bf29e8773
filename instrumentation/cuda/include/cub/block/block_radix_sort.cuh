#pragma once
// cub::BlockRadixSort. Each pass sorts by 4 bits: every thread counts its digits, the block scans
// the counts, and the items move to their ranks.
#pragma GCC system_header
#include "cub/block/block_exchange.cuh"
#include "cub/block/block_scan.cuh"
#include "cub/detail/radix_key.cuh"

namespace cub {

template <class Key, int kX, int kItems, class Value = NullType, int kRadixBits = 4,
          bool kMemoize = true, BlockScanAlgorithm kScan = BLOCK_SCAN_WARP_SCANS,
          cudaSharedMemConfig kBanks = cudaSharedMemBankSizeFourByte, int kY = 1, int kZ = 1,
          int kArch = 0>
class BlockRadixSort {
    static constexpr int kThreads = kX * kY * kZ;
    static constexpr int kDigits = 1 << kRadixBits;
    static constexpr bool kPairs = !std::is_same<Value, NullType>::value;
    using Bits = detail::RadixKey<Key>;
    using Scan = BlockScan<int, kX, kScan, kY, kZ>;
    using Keys = BlockExchange<Key, kX, kItems, false, kY, kZ>;
    using Values = BlockExchange<Value, kX, kItems, false, kY, kZ>;

  public:
    struct TempStorage {
        int counts[kDigits * kThreads];  // by digit, then by thread
        typename Scan::TempStorage scan;
        typename Keys::TempStorage keys;
        typename std::conditional<kPairs, typename Values::TempStorage, NullType>::type values;
    };
    __device__ BlockRadixSort() : storage_(own_storage()) {}
    __device__ explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

    __device__ void Sort(Key (&keys)[kItems], int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
        NullType none[kItems];
        sort<false, false>(keys, none, begin_bit, end_bit);
    }
    __device__ void Sort(Key (&keys)[kItems], Value (&values)[kItems], int begin_bit = 0,
                         int end_bit = sizeof(Key) * 8) {
        sort<false, false>(keys, values, begin_bit, end_bit);
    }
    __device__ void SortDescending(Key (&keys)[kItems], int begin_bit = 0,
                                   int end_bit = sizeof(Key) * 8) {
        NullType none[kItems];
        sort<true, false>(keys, none, begin_bit, end_bit);
    }
    __device__ void SortDescending(Key (&keys)[kItems], Value (&values)[kItems], int begin_bit = 0,
                                   int end_bit = sizeof(Key) * 8) {
        sort<true, false>(keys, values, begin_bit, end_bit);
    }
    __device__ void SortBlockedToStriped(Key (&keys)[kItems], int begin_bit = 0,
                                         int end_bit = sizeof(Key) * 8) {
        NullType none[kItems];
        sort<false, true>(keys, none, begin_bit, end_bit);
    }
    __device__ void SortBlockedToStriped(Key (&keys)[kItems], Value (&values)[kItems],
                                         int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
        sort<false, true>(keys, values, begin_bit, end_bit);
    }
    __device__ void SortDescendingBlockedToStriped(Key (&keys)[kItems], int begin_bit = 0,
                                                   int end_bit = sizeof(Key) * 8) {
        NullType none[kItems];
        sort<true, true>(keys, none, begin_bit, end_bit);
    }
    __device__ void SortDescendingBlockedToStriped(Key (&keys)[kItems], Value (&values)[kItems],
                                                   int begin_bit = 0,
                                                   int end_bit = sizeof(Key) * 8) {
        sort<true, true>(keys, values, begin_bit, end_bit);
    }

  private:
    __device__ static TempStorage& own_storage() {
        __shared__ TempStorage storage;
        return storage;
    }
    template <bool kDescending, bool kStriped, class V>
    __device__ void sort(Key (&keys)[kItems], V (&values)[kItems], int begin_bit, int end_bit) {
        for (int bit = begin_bit;; bit += kRadixBits) {
            int ranks[kItems];
            const int bits = CUB_MIN(kRadixBits, end_bit - bit);
            rank<kDescending>(keys, ranks, bit, bits);
            const bool last = bit + kRadixBits >= end_bit;
            move(keys, storage_.keys, ranks, kStriped && last, Keys(storage_.keys));
            if constexpr (!std::is_same<V, NullType>::value)
                move(values, storage_.values, ranks, kStriped && last, Values(storage_.values));
            if (last) return;
            __syncthreads();
        }
    }
    template <class T, class Memory, class Exchange>
    __device__ void move(T (&items)[kItems], Memory&, int (&ranks)[kItems], bool striped,
                         Exchange exchange) {
        if (striped)
            exchange.ScatterToStriped(items, ranks);
        else
            exchange.ScatterToBlocked(items, ranks);
    }
    template <bool kDescending>
    __device__ void rank(Key (&keys)[kItems], int (&ranks)[kItems], int bit, int bits) {
        const int thread = detail::thread_of_block<kX, kY, kZ>();
        int* const counts = storage_.counts;
        for (int digit = 0; digit < kDigits; ++digit) counts[digit * kThreads + thread] = 0;
        int places[kItems];
        for (int i = 0; i < kItems; ++i) {
            const auto digit = int((Bits::bits_of(keys[i], kDescending) >> bit) &
                                   typename Bits::Bits((1u << bits) - 1));
            places[i] = digit * kThreads + thread;
            const int before = counts[places[i]];
            ranks[i] = before;
            counts[places[i]] = before + 1;
        }
        __syncthreads();
        int sums[kDigits];
        for (int i = 0; i < kDigits; ++i) sums[i] = counts[thread * kDigits + i];
        Scan(storage_.scan).ExclusiveSum(sums, sums);
        for (int i = 0; i < kDigits; ++i) counts[thread * kDigits + i] = sums[i];
        __syncthreads();
        for (int i = 0; i < kItems; ++i) ranks[i] += counts[places[i]];
    }

    TempStorage& storage_;
};

}  // namespace cub
