#pragma once
// cub::BlockExchange.
#pragma GCC system_header
#include "cub/detail/exchange.cuh"

namespace cub {

template <class T, int kX, int kItems, bool kTimeSlicing = false, int kY = 1, int kZ = 1,
          int kArch = 0>
class BlockExchange {
    static constexpr int kThreads = kX * kY * kZ;

  public:
    struct TempStorage {
        detail::Items<T, kThreads * kItems> items;
    };
    __device__ BlockExchange() : storage_(own_storage()) {}
    __device__ explicit BlockExchange(TempStorage& storage) : storage_(storage) {}

    template <class To>
    __device__ void StripedToBlocked(T (&input)[kItems], To (&output)[kItems]) {
        exchange(input, output, striped(), blocked());
    }
    template <class To>
    __device__ void BlockedToStriped(T (&input)[kItems], To (&output)[kItems]) {
        exchange(input, output, blocked(), striped());
    }
    template <class To>
    __device__ void WarpStripedToBlocked(T (&input)[kItems], To (&output)[kItems]) {
        exchange_in_warp(input, output, warp_striped(), blocked());
    }
    template <class To>
    __device__ void BlockedToWarpStriped(T (&input)[kItems], To (&output)[kItems]) {
        exchange_in_warp(input, output, blocked(), warp_striped());
    }
    template <class To, class Offset>
    __device__ void ScatterToBlocked(T (&input)[kItems], To (&output)[kItems],
                                     Offset (&ranks)[kItems]) {
        exchange(
            input, output, [&](int i) { return int(ranks[i]); }, blocked());
    }
    template <class To, class Offset>
    __device__ void ScatterToStriped(T (&input)[kItems], To (&output)[kItems],
                                     Offset (&ranks)[kItems]) {
        exchange(
            input, output, [&](int i) { return int(ranks[i]); }, striped());
    }
    // Items of a rank below 0 stay behind.
    template <class To, class Offset>
    __device__ void ScatterToStripedGuarded(T (&input)[kItems], To (&output)[kItems],
                                            Offset (&ranks)[kItems]) {
        for (int i = 0; i < kItems; ++i)
            if (ranks[i] >= 0) storage_.items[int(ranks[i])] = input[i];
        __syncthreads();
        detail::read_items(storage_.items, output, striped());
    }
    template <class To, class Offset, class Flag>
    __device__ void ScatterToStripedFlagged(T (&input)[kItems], To (&output)[kItems],
                                            Offset (&ranks)[kItems], Flag (&valid)[kItems]) {
        for (int i = 0; i < kItems; ++i)
            if (valid[i]) storage_.items[int(ranks[i])] = input[i];
        __syncthreads();
        detail::read_items(storage_.items, output, striped());
    }
    // The same in place.
    __device__ void StripedToBlocked(T (&items)[kItems]) { StripedToBlocked(items, items); }
    __device__ void BlockedToStriped(T (&items)[kItems]) { BlockedToStriped(items, items); }
    __device__ void WarpStripedToBlocked(T (&items)[kItems]) { WarpStripedToBlocked(items, items); }
    __device__ void BlockedToWarpStriped(T (&items)[kItems]) { BlockedToWarpStriped(items, items); }
    template <class Offset>
    __device__ void ScatterToBlocked(T (&items)[kItems], Offset (&ranks)[kItems]) {
        ScatterToBlocked(items, items, ranks);
    }
    template <class Offset>
    __device__ void ScatterToStriped(T (&items)[kItems], Offset (&ranks)[kItems]) {
        ScatterToStriped(items, items, ranks);
    }

  private:
    __device__ static TempStorage& own_storage() {
        __shared__ TempStorage storage;
        return storage;
    }
    __device__ static int thread() { return detail::thread_of_block<kX, kY, kZ>(); }
    __device__ static detail::Blocked<kItems> blocked() { return {thread()}; }
    __device__ static detail::Striped<kItems> striped() { return {thread(), kThreads}; }
    __device__ static detail::WarpStriped<kItems> warp_striped() { return {thread()}; }
    template <class To, class From, class Into>
    __device__ void exchange(T (&input)[kItems], To (&output)[kItems], const From& from,
                             const Into& into) {
        detail::write_items(storage_.items, input, from);
        __syncthreads();
        detail::read_items(storage_.items, output, into);
    }
    template <class To, class From, class Into>
    __device__ void exchange_in_warp(T (&input)[kItems], To (&output)[kItems], const From& from,
                                     const Into& into) {
        detail::write_items(storage_.items, input, from);
        __syncwarp();
        detail::read_items(storage_.items, output, into);
    }

    TempStorage& storage_;
};

}  // namespace cub
