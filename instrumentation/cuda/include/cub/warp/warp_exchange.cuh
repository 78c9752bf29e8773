#pragma once
// cub::WarpExchange.
#pragma GCC system_header
#include "cub/detail/exchange.cuh"

namespace cub {

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int kItems, int kLogicalThreads = kWarpThreads, int kArch = 0,
          WarpExchangeAlgorithm kAlgorithm = WARP_EXCHANGE_SMEM>
class WarpExchange {
  public:
    struct TempStorage {
        detail::Items<T, kLogicalThreads * kItems> items;
    };
    WarpExchange() = delete;
    __device__ explicit WarpExchange(TempStorage& storage) : storage_(storage) {}

    template <class To>
    __device__ void BlockedToStriped(const T (&input)[kItems], To (&output)[kItems]) {
        exchange(input, output, detail::Blocked<kItems>{warp_.rank}, striped());
    }
    template <class To>
    __device__ void StripedToBlocked(const T (&input)[kItems], To (&output)[kItems]) {
        exchange(input, output, striped(), detail::Blocked<kItems>{warp_.rank});
    }
    template <class Offset>
    __device__ void ScatterToStriped(T (&items)[kItems], Offset (&ranks)[kItems]) {
        ScatterToStriped(items, items, ranks);
    }
    template <class To, class Offset>
    __device__ void ScatterToStriped(const T (&input)[kItems], To (&output)[kItems],
                                     Offset (&ranks)[kItems]) {
        exchange(
            input, output, [&](int i) { return int(ranks[i]); }, striped());
    }

  private:
    __device__ detail::Striped<kItems> striped() { return {warp_.rank, kLogicalThreads}; }
    template <class To, class From, class Into>
    __device__ void exchange(const T (&input)[kItems], To (&output)[kItems], const From& from,
                             const Into& into) {
        detail::write_items(storage_.items, input, from);
        __syncwarp(warp_.mask);
        detail::read_items(storage_.items, output, into);
    }

    TempStorage& storage_;
    detail::LogicalWarp<kLogicalThreads> warp_;
};

}  // namespace cub
