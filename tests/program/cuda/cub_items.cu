// CUB: items of the threads of a block or warp are loaded, exchanged, sorted, compared, counted and
// stored.
#include <algorithm>
#include <cstdlib>
#include <cub/cub.cuh>
#include <numeric>

#include "check.h"
#include "cub_names.h"

constexpr int kThreads = 64, kItems = 4, kTile = kThreads * kItems;

template <cub::BlockLoadAlgorithm kLoad, cub::BlockStoreAlgorithm kStore>
__global__ void copy(const int* in, int* out, int valid) {
    using Load = cub::BlockLoad<int, kThreads, kItems, kLoad>;
    using Store = cub::BlockStore<int, kThreads, kItems, kStore>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } storage;
    int items[kItems];
    Load(storage.load).Load(in, items, valid, -1);
    __syncthreads();
    for (int i = 0; i < kItems; ++i) items[i] += int(threadIdx.x);
    Store(storage.store).Store(out, items, valid);
    __syncthreads();
    Load(storage.load).Load(in, items);
    __syncthreads();
    Store(storage.store).Store(out + kTile, items);
}
template <cub::BlockLoadAlgorithm kLoad, cub::BlockStoreAlgorithm kStore>
void check_copy(const int* in, int* out) {
    for (int i = 0; i < 2 * kTile; ++i) out[i] = -7;
    copy<kLoad, kStore><<<1, kThreads>>>(in, out, 201);
    cudaDeviceSynchronize();
    const bool striped = kLoad == cub::BLOCK_LOAD_STRIPED;
    for (int i = 0; i < kTile; ++i) {
        const int thread = striped ? i % kThreads : i / kItems;
        CHECK(out[i] == (i < 201 ? in[i] + thread : -7) && out[kTile + i] == in[i]);
    }
}

__global__ void exchange(int* out) {
    using Exchange = cub::BlockExchange<int, kThreads, kItems>;
    __shared__ typename Exchange::TempStorage storage;
    const int t = threadIdx.x;
    int items[kItems], ranks[kItems];
    for (int i = 0; i < kItems; ++i) items[i] = t * kItems + i, ranks[i] = kTile - 1 - items[i];
    Exchange(storage).BlockedToStriped(items);
    for (int i = 0; i < kItems; ++i) out[i * kThreads + t] = items[i];
    __syncthreads();
    Exchange(storage).StripedToBlocked(items);
    __syncthreads();
    Exchange(storage).ScatterToBlocked(items, ranks);
    for (int i = 0; i < kItems; ++i) out[kTile + t * kItems + i] = items[i];
    using Warp = cub::WarpExchange<int, kItems, 16>;
    __shared__ typename Warp::TempStorage warps[kThreads / 16];
    int striped[kItems];
    Warp(warps[t / 16]).BlockedToStriped(items, striped);
    for (int i = 0; i < kItems; ++i) out[2 * kTile + t * kItems + i] = striped[i];
}

template <class Key>
__global__ void sort(Key* keys, int* values, bool descending) {
    using Sort = cub::BlockRadixSort<Key, kThreads, kItems, int>;
    __shared__ typename Sort::TempStorage storage;
    Key own[kItems];
    int with[kItems];
    const int first = threadIdx.x * kItems;
    for (int i = 0; i < kItems; ++i) own[i] = keys[first + i], with[i] = values[first + i];
    if (descending)
        Sort(storage).SortDescendingBlockedToStriped(own, with);
    else
        Sort(storage).Sort(own, with);
    for (int i = 0; i < kItems; ++i) {
        const int at = descending ? i * kThreads + int(threadIdx.x) : first + i;
        keys[at] = own[i], values[at] = with[i];
    }
}
template <class Key, class Make>
void check_sort(bool descending, Make make) {
    Key *keys, before[kTile];
    int *values, order[kTile];
    cudaMallocManaged(&keys, kTile * sizeof *keys);
    cudaMallocManaged(&values, kTile * sizeof *values);
    for (int i = 0; i < kTile; ++i) before[i] = keys[i] = make(i), order[i] = values[i] = i;
    std::stable_sort(order, order + kTile, [&](int a, int b) {
        return descending ? before[b] < before[a] : before[a] < before[b];
    });
    sort<<<1, kThreads>>>(keys, values, descending);
    cudaDeviceSynchronize();
    for (int i = 0; i < kTile; ++i) CHECK(values[i] == order[i] && keys[i] == before[order[i]]);
    cudaFree(keys);
    cudaFree(values);
}

struct Less {
    __device__ bool operator()(int a, int b) const { return a < b; }
};
struct Minus {
    __device__ int operator()(int a, int b) const { return a - b; }
};
__global__ void neighbours(const int* in, int* out, unsigned* counts) {
    using Merge = cub::BlockMergeSort<int, kThreads, kItems, int>;
    using Warp = cub::WarpMergeSort<int, kItems, 8>;
    using Heads = cub::BlockDiscontinuity<int, kThreads>;
    using Differences = cub::BlockAdjacentDifference<int, kThreads>;
    using Shuffle = cub::BlockShuffle<int, kThreads>;
    using Histogram = cub::BlockHistogram<int, kThreads, kItems, 32>;
    using Atomic = cub::BlockHistogram<int, kThreads, kItems, 32, cub::BLOCK_HISTO_ATOMIC>;
    __shared__ union {
        typename Merge::TempStorage merge;
        typename Warp::TempStorage warps[kThreads / 8];
        typename Heads::TempStorage heads;
        typename Differences::TempStorage differences;
        typename Shuffle::TempStorage shuffle;
        typename Histogram::TempStorage histogram;
        typename Atomic::TempStorage atomic;
    } storage;
    __shared__ unsigned bins[32];
    const int t = threadIdx.x;
    int items[kItems], places[kItems], heads[kItems], tails[kItems], differences[kItems], next;
    cub::LoadDirectBlocked(t, in, items);
    Atomic(storage.atomic).Histogram(items, bins);
    __syncthreads();
    Histogram(storage.histogram).Composite(items, bins);  // sorts the items
    __syncthreads();
    if (t < 32) counts[t] = bins[t];
    cub::StoreDirectBlocked(t, out + 6 * kTile, items);
    cub::LoadDirectBlocked(t, in, items);
    Warp(storage.warps[t / 8]).Sort(items, Less());
    cub::StoreDirectBlocked(t, out + 5 * kTile, items);
    __syncthreads();
    cub::LoadDirectBlocked(t, in, items);
    for (int i = 0; i < kItems; ++i) places[i] = t * kItems + i;
    Merge(storage.merge).Sort(items, places, Less());
    Heads(storage.heads).FlagHeadsAndTails(heads, tails, 1000, items, cub::Inequality());
    __syncthreads();
    Differences(storage.differences).SubtractLeft(items, differences, Minus());
    __syncthreads();
    Shuffle(storage.shuffle).Rotate(items[0], next, 1);
    cub::StoreDirectBlocked(t, out, items);
    cub::StoreDirectBlocked(t, out + kTile, places);
    for (int i = 0; i < kItems; ++i) heads[i] = 10 * heads[i] + tails[i];
    cub::StoreDirectBlocked(t, out + 2 * kTile, heads);
    cub::StoreDirectBlocked(t, out + 3 * kTile, differences);
    out[4 * kTile + t] = next;
}

int main() {
    int *in, *out;
    unsigned* counts;
    cudaMallocManaged(&in, kTile * sizeof *in);
    cudaMallocManaged(&out, 7 * kTile * sizeof *out);
    cudaMallocManaged(&counts, 32 * sizeof *counts);
    for (int i = 0; i < kTile; ++i) in[i] = i * 37 % 29;

    check_copy<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>(in, out);
    check_copy<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>(in, out);
    check_copy<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>(in, out);
    check_copy<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(in, out);
    check_copy<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(in, out);

    exchange<<<1, kThreads>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < kTile; ++i) {
        CHECK(out[i] == i && out[kTile + i] == kTile - 1 - i);
        const int t = i / kItems, from = t / 16 * 16 * kItems + i % kItems * 16 + t % 16;
        CHECK(out[2 * kTile + i] == kTile - 1 - from);
    }

    check_sort<unsigned>(false, [](int i) { return unsigned(i) * 2654435761u >> 24; });
    check_sort<int>(true, [](int i) { return (i * 7919) % 101 - 50; });
    check_sort<float>(false, [](int i) { return float(i * 31 % 63 - 31) / 8; });
    check_sort<double>(true, [](int i) { return (i * 31 % 63 - 31) * 1e100; });
    check_sort<signed char>(false, [](int i) { return static_cast<signed char>(i * 5); });
    check_sort<long long>(true, [](int i) { return (i % 13 - 6) * 10000000000ll; });

    neighbours<<<1, kThreads>>>(in, out, counts);
    cudaDeviceSynchronize();
    int order[kTile];
    std::iota(order, order + kTile, 0);
    std::stable_sort(order, order + kTile, [&](int a, int b) { return in[a] < in[b]; });
    for (int i = 0; i < kTile; ++i) {
        const int item = in[order[i]], before = i > 0 ? in[order[i - 1]] : -1;
        CHECK(out[i] == item && out[kTile + i] == order[i] && out[6 * kTile + i] == item);
        const bool tail = i + 1 == kTile || in[order[i + 1]] != item;
        CHECK(out[2 * kTile + i] == 10 * (item != before) + tail);
        CHECK(out[3 * kTile + i] == (i > 0 ? item - before : item));
    }
    for (int t = 0; t < kThreads; ++t)
        CHECK(out[4 * kTile + t] == out[(t + 1) % kThreads * kItems]);
    for (int first = 0; first < kTile; first += 32) {
        std::sort(in + first, in + first + 32);
        CHECK(std::equal(in + first, in + first + 32, out + 5 * kTile + first));
    }
    for (int i = 0; i < 32; ++i) CHECK(counts[i] == 2 * unsigned(std::count(in, in + kTile, i)));
    using Bits = cub::Traits<float>;
    CHECK(Bits::TwiddleIn(0x80000000u) == 0x7fffffffu && Bits::TwiddleIn(1) == 0x80000001u);
    CHECK(Bits::TwiddleOut(0x7fffffffu) == 0x80000000u && Bits::TwiddleOut(0x80000001u) == 1);
    cudaFree(in);
    cudaFree(out);
    cudaFree(counts);
    return failures;
}
