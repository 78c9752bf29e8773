#pragma once
// cub::BlockStore, and the functions that it is made of.
#pragma GCC system_header
#include "cub/block/block_load.cuh"

namespace cub {

enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

namespace detail {
template <class T, int kItems, class To, class Places>
__device__ inline void store_items(To to, T (&items)[kItems], const Places& place) {
    for (int i = 0; i < kItems; ++i) to[place(i)] = items[i];
}
template <class T, int kItems, class To, class Places>
__device__ inline void store_valid(To to, T (&items)[kItems], int valid, const Places& place) {
    for (int i = 0; i < kItems; ++i)
        if (place(i) < valid) to[place(i)] = items[i];
}
}  // namespace detail

template <class T, int kItems, class To>
__device__ inline void StoreDirectBlocked(int thread, To to, T (&items)[kItems]) {
    detail::store_items(to, items, detail::Blocked<kItems>{thread});
}
template <class T, int kItems, class To>
__device__ inline void StoreDirectBlocked(int thread, To to, T (&items)[kItems], int valid) {
    detail::store_valid(to, items, valid, detail::Blocked<kItems>{thread});
}
template <int kThreads, class T, int kItems, class To>
__device__ inline void StoreDirectStriped(int thread, To to, T (&items)[kItems]) {
    detail::store_items(to, items, detail::Striped<kItems>{thread, kThreads});
}
template <int kThreads, class T, int kItems, class To>
__device__ inline void StoreDirectStriped(int thread, To to, T (&items)[kItems], int valid) {
    detail::store_valid(to, items, valid, detail::Striped<kItems>{thread, kThreads});
}
template <class T, int kItems, class To>
__device__ inline void StoreDirectWarpStriped(int thread, To to, T (&items)[kItems]) {
    detail::store_items(to, items, detail::WarpStriped<kItems>{thread});
}
template <class T, int kItems, class To>
__device__ inline void StoreDirectWarpStriped(int thread, To to, T (&items)[kItems], int valid) {
    detail::store_valid(to, items, valid, detail::WarpStriped<kItems>{thread});
}
template <class T, int kItems>
__device__ inline void StoreDirectBlockedVectorized(int thread, T* to, T (&items)[kItems]) {
    using Vector = detail::Vector<T, kItems>;
    if constexpr (Vector::kWorks) {
        if (reinterpret_cast<std::uintptr_t>(to) % Vector::kBytes == 0) {
            using Word = typename Vector::Word;
            Word* words = reinterpret_cast<Word*>(to + thread * kItems);
            constexpr int kEach = Vector::kBytes / int(sizeof(T));
            for (int i = 0; i < kItems / kEach; ++i) {
                Word word;
                __builtin_memcpy(&word, items + i * kEach, sizeof word);
                words[i] = word;
            }
            return;
        }
    }
    StoreDirectBlocked(thread, to, items);
}

template <class T, int kX, int kItems, BlockStoreAlgorithm kAlgorithm = BLOCK_STORE_DIRECT,
          int kY = 1, int kZ = 1, int kArch = 0>
class BlockStore {
    static constexpr int kThreads = kX * kY * kZ;
    using Exchange = BlockExchange<T, kX, kItems, false, kY, kZ>;
    static constexpr bool kExchanges = kAlgorithm >= BLOCK_STORE_TRANSPOSE;

  public:
    using TempStorage =
        typename std::conditional<kExchanges, typename Exchange::TempStorage, NullType>::type;
    __device__ BlockStore() : storage_(own_storage()) {}
    __device__ explicit BlockStore(TempStorage& storage) : storage_(storage) {}

    template <class To>
    __device__ void Store(To to, T (&items)[kItems]) {
        const int thread = detail::thread_of_block<kX, kY, kZ>();
        if constexpr (kAlgorithm == BLOCK_STORE_STRIPED) {
            StoreDirectStriped<kThreads>(thread, to, items);
        } else if constexpr (kAlgorithm == BLOCK_STORE_TRANSPOSE) {
            Exchange(storage_).BlockedToStriped(items);
            StoreDirectStriped<kThreads>(thread, to, items);
        } else if constexpr (kAlgorithm >= BLOCK_STORE_WARP_TRANSPOSE) {
            Exchange(storage_).BlockedToWarpStriped(items);
            StoreDirectWarpStriped(thread, to, items);
        } else if constexpr (kAlgorithm == BLOCK_STORE_VECTORIZE && std::is_pointer<To>::value) {
            StoreDirectBlockedVectorized(thread, to, items);
        } else {
            StoreDirectBlocked(thread, to, items);
        }
    }
    template <class To>
    __device__ void Store(To to, T (&items)[kItems], int valid) {
        const int thread = detail::thread_of_block<kX, kY, kZ>();
        if constexpr (kAlgorithm == BLOCK_STORE_STRIPED) {
            StoreDirectStriped<kThreads>(thread, to, items, valid);
        } else if constexpr (kAlgorithm == BLOCK_STORE_TRANSPOSE) {
            Exchange(storage_).BlockedToStriped(items);
            StoreDirectStriped<kThreads>(thread, to, items, valid);
        } else if constexpr (kAlgorithm >= BLOCK_STORE_WARP_TRANSPOSE) {
            Exchange(storage_).BlockedToWarpStriped(items);
            StoreDirectWarpStriped(thread, to, items, valid);
        } else {
            StoreDirectBlocked(thread, to, items, valid);
        }
    }

  private:
    __device__ static TempStorage& own_storage() {
        __shared__ TempStorage storage;
        return storage;
    }
    TempStorage& storage_;
};

}  // namespace cub
