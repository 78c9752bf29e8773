#pragma once
// cub::BlockLoad, and the functions that it is made of.
#pragma GCC system_header
#include <iterator>

#include "cub/block/block_exchange.cuh"

namespace cub {

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};

namespace detail {
template <class T, int kItems, class From, class Places>
__device__ inline void load_items(From from, T (&items)[kItems], const Places& place) {
    for (int i = 0; i < kItems; ++i) items[i] = from[place(i)];
}
template <class T, int kItems, class From, class Places>
__device__ inline void load_valid(From from, T (&items)[kItems], int valid, const Places& place) {
    for (int i = 0; i < kItems; ++i)
        if (place(i) < valid) items[i] = from[place(i)];
}
template <class T, int kItems, class Default>
__device__ inline void fill_items(T (&items)[kItems], const Default& value) {
    for (int i = 0; i < kItems; ++i) items[i] = value;
}
// Loads that carry several items, up to 16 bytes.
template <class T, int kItems>
struct Vector {
    static constexpr int bytes_of() {
        int bytes = 16;
        while (bytes > int(sizeof(T)) && (sizeof(T) * kItems) % bytes != 0) bytes /= 2;
        return bytes;
    }
    static constexpr int kBytes = bytes_of();
    static constexpr bool kWorks = kBytes > int(sizeof(T)) && kBytes % sizeof(T) == 0;
    struct alignas(kBytes) Word {
        unsigned char bytes[kBytes];
    };
};
}  // namespace detail

template <class T, int kItems, class From>
__device__ inline void LoadDirectBlocked(int thread, From from, T (&items)[kItems]) {
    detail::load_items(from, items, detail::Blocked<kItems>{thread});
}
template <class T, int kItems, class From>
__device__ inline void LoadDirectBlocked(int thread, From from, T (&items)[kItems], int valid) {
    detail::load_valid(from, items, valid, detail::Blocked<kItems>{thread});
}
template <class T, class Default, int kItems, class From>
__device__ inline void LoadDirectBlocked(int thread, From from, T (&items)[kItems], int valid,
                                         Default other) {
    detail::fill_items(items, other);
    LoadDirectBlocked(thread, from, items, valid);
}
template <int kThreads, class T, int kItems, class From>
__device__ inline void LoadDirectStriped(int thread, From from, T (&items)[kItems]) {
    detail::load_items(from, items, detail::Striped<kItems>{thread, kThreads});
}
template <int kThreads, class T, int kItems, class From>
__device__ inline void LoadDirectStriped(int thread, From from, T (&items)[kItems], int valid) {
    detail::load_valid(from, items, valid, detail::Striped<kItems>{thread, kThreads});
}
template <int kThreads, class T, class Default, int kItems, class From>
__device__ inline void LoadDirectStriped(int thread, From from, T (&items)[kItems], int valid,
                                         Default other) {
    detail::fill_items(items, other);
    LoadDirectStriped<kThreads>(thread, from, items, valid);
}
template <class T, int kItems, class From>
__device__ inline void LoadDirectWarpStriped(int thread, From from, T (&items)[kItems]) {
    detail::load_items(from, items, detail::WarpStriped<kItems>{thread});
}
template <class T, int kItems, class From>
__device__ inline void LoadDirectWarpStriped(int thread, From from, T (&items)[kItems], int valid) {
    detail::load_valid(from, items, valid, detail::WarpStriped<kItems>{thread});
}
template <class T, class Default, int kItems, class From>
__device__ inline void LoadDirectWarpStriped(int thread, From from, T (&items)[kItems], int valid,
                                             Default other) {
    detail::fill_items(items, other);
    LoadDirectWarpStriped(thread, from, items, valid);
}
template <class T, int kItems>
__device__ inline void LoadDirectBlockedVectorized(int thread, T* from, T (&items)[kItems]) {
    using Vector = detail::Vector<T, kItems>;
    if constexpr (Vector::kWorks) {
        if (reinterpret_cast<std::uintptr_t>(from) % Vector::kBytes == 0) {
            using Word = typename Vector::Word;
            const Word* words = reinterpret_cast<const Word*>(from + thread * kItems);
            constexpr int kEach = Vector::kBytes / int(sizeof(T));
            for (int i = 0; i < kItems / kEach; ++i) {
                const Word word = words[i];
                __builtin_memcpy(items + i * kEach, &word, sizeof word);
            }
            return;
        }
    }
    LoadDirectBlocked(thread, from, items);
}

template <class T, int kX, int kItems, BlockLoadAlgorithm kAlgorithm = BLOCK_LOAD_DIRECT,
          int kY = 1, int kZ = 1, int kArch = 0>
class BlockLoad {
    static constexpr int kThreads = kX * kY * kZ;
    using Exchange = BlockExchange<T, kX, kItems, false, kY, kZ>;
    static constexpr bool kExchanges = kAlgorithm >= BLOCK_LOAD_TRANSPOSE;

  public:
    using TempStorage =
        typename std::conditional<kExchanges, typename Exchange::TempStorage, NullType>::type;
    __device__ BlockLoad() : storage_(own_storage()) {}
    __device__ explicit BlockLoad(TempStorage& storage) : storage_(storage) {}

    template <class From>
    __device__ void Load(From from, T (&items)[kItems]) {
        const int thread = detail::thread_of_block<kX, kY, kZ>();
        if constexpr (kAlgorithm == BLOCK_LOAD_STRIPED) {
            LoadDirectStriped<kThreads>(thread, from, items);
        } else if constexpr (kAlgorithm == BLOCK_LOAD_TRANSPOSE) {
            LoadDirectStriped<kThreads>(thread, from, items);
            Exchange(storage_).StripedToBlocked(items);
        } else if constexpr (kAlgorithm >= BLOCK_LOAD_WARP_TRANSPOSE) {
            LoadDirectWarpStriped(thread, from, items);
            Exchange(storage_).WarpStripedToBlocked(items);
        } else if constexpr (kAlgorithm == BLOCK_LOAD_VECTORIZE && std::is_pointer<From>::value) {
            LoadDirectBlockedVectorized(thread, const_cast<T*>(from), items);
        } else {
            LoadDirectBlocked(thread, from, items);
        }
    }
    template <class From>
    __device__ void Load(From from, T (&items)[kItems], int valid) {
        const int thread = detail::thread_of_block<kX, kY, kZ>();
        if constexpr (kAlgorithm == BLOCK_LOAD_STRIPED) {
            LoadDirectStriped<kThreads>(thread, from, items, valid);
        } else if constexpr (kAlgorithm == BLOCK_LOAD_TRANSPOSE) {
            LoadDirectStriped<kThreads>(thread, from, items, valid);
            Exchange(storage_).StripedToBlocked(items);
        } else if constexpr (kAlgorithm >= BLOCK_LOAD_WARP_TRANSPOSE) {
            LoadDirectWarpStriped(thread, from, items, valid);
            Exchange(storage_).WarpStripedToBlocked(items);
        } else {
            LoadDirectBlocked(thread, from, items, valid);
        }
    }
    template <class From, class Default>
    __device__ void Load(From from, T (&items)[kItems], int valid, Default other) {
        detail::fill_items(items, other);
        Load(from, items, valid);
    }

  private:
    __device__ static TempStorage& own_storage() {
        __shared__ TempStorage storage;
        return storage;
    }
    TempStorage& storage_;
};

}  // namespace cub
