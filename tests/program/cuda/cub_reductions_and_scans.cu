// CUB: reductions and scans of warps and blocks.
#include <cub/cub.cuh>

#include "check.h"
#include "cub_names.h"

constexpr int kThreads = 128;

// Composition of x -> a x + b: associative, but not commutative.
struct Map {
    unsigned a, b;
};
struct Then {
    __host__ __device__ Map operator()(const Map& f, const Map& g) const {
        return {f.a * g.a, g.a * f.b + g.b};
    }
};
__host__ __device__ Map map_of(int i) { return {unsigned(i % 5 + 2), unsigned(i * 7 + 1)}; }

__global__ void reduce(int* sums, Map* maps, int valid) {
    using Sums = cub::BlockReduce<int, kThreads>;
    using Maps = cub::BlockReduce<Map, 32, cub::BLOCK_REDUCE_RAKING, 4>;
    __shared__ union {
        typename Sums::TempStorage sums;
        typename Maps::TempStorage maps;
    } storage;
    const int i = threadIdx.x + 32 * threadIdx.y;
    const Map whole = Maps(storage.maps).Reduce(map_of(i), Then());
    __syncthreads();
    if (i == 0) maps[0] = whole;
    __shared__ cub::BlockReduce<int, 32, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 4>::TempStorage more;
    cub::BlockReduce<int, 32, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 4> rows(more);
    const int some = rows.Reduce(i, cub::Max(), valid);
    __syncthreads();
    int items[3] = {i, 1, 2 * i};
    const int all = rows.Sum(items);
    if (i == 0) sums[0] = some, sums[1] = all;
}

__global__ void warps(int* out) {
    using Eight = cub::WarpReduce<int, 8>;
    __shared__ typename Eight::TempStorage storage[kThreads / 8];
    const int i = threadIdx.x;
    out[i] = Eight(storage[i / 8]).Sum(i);
    out[kThreads + i] = Eight(storage[i / 8]).Reduce(i, cub::Min(), 5);
    using Whole = cub::WarpReduce<double>;
    __shared__ typename Whole::TempStorage whole[kThreads / 32];
    out[2 * kThreads + i] = int(Whole(whole[i / 32]).HeadSegmentedSum(i, i % 6 == 0));
    out[3 * kThreads + i] = int(Whole(whole[i / 32]).TailSegmentedSum(i, i % 6 == 0));
    using Scan = cub::WarpScan<int, 16>;
    __shared__ typename Scan::TempStorage scans[kThreads / 16];
    int inclusive, exclusive, aggregate;
    Scan(scans[i / 16]).InclusiveSum(i, inclusive);
    Scan(scans[i / 16]).ExclusiveScan(i, exclusive, -5, cub::Max(), aggregate);
    out[4 * kThreads + i] = inclusive;
    out[5 * kThreads + i] = exclusive * 1000 + aggregate;
}

struct Running {
    int total;
    __device__ int operator()(int aggregate) {
        const int before = total;
        total += aggregate;
        return before;
    }
};

__global__ void scan(const int* in, int* out, Map* maps, int n) {
    using Scan = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
    using Maps = cub::BlockScan<Map, kThreads>;
    __shared__ typename Scan::TempStorage storage;
    __shared__ typename Maps::TempStorage map_storage;
    Running running{0};
    for (int base = 0; base < n; base += kThreads) {
        int value = in[base + threadIdx.x];
        Scan(storage).ExclusiveSum(value, value, running);
        __syncthreads();
        out[base + threadIdx.x] = value;
    }
    int items[2] = {int(threadIdx.x), 1}, aggregate;
    Scan(storage).InclusiveSum(items, items, aggregate);
    out[n + 2 * threadIdx.x] = items[0], out[n + 2 * threadIdx.x + 1] = items[1];
    if (threadIdx.x == 5) out[n + 2 * kThreads] = aggregate;
    Map before;
    Maps(map_storage).ExclusiveScan(map_of(threadIdx.x), before, Map{1, 0}, Then());
    maps[threadIdx.x] = before;
}

int main() {
    int *in, *out;
    Map* maps;
    cudaMallocManaged(&in, 1024 * sizeof *in);
    cudaMallocManaged(&out, 2048 * sizeof *out);
    cudaMallocManaged(&maps, kThreads * sizeof *maps);
    for (int i = 0; i < 1024; ++i) in[i] = i % 10;

    reduce<<<1, dim3(32, 4)>>>(out, maps, 77);
    cudaDeviceSynchronize();
    CHECK(out[0] == 76 && out[1] == 3 * 127 * 64 + 128);
    Map whole{1, 0};
    for (int i = 0; i < kThreads; ++i) whole = Then()(whole, map_of(i));
    CHECK(maps[0].a == whole.a && maps[0].b == whole.b);

    warps<<<1, kThreads>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < kThreads; ++i) {
        if (i % 8 == 0) CHECK(out[i] == 8 * i + 28 && out[kThreads + i] == i);
        const int warp_end = i / 32 * 32 + 32;
        int head = 0, tail = 0;
        for (int k = i; k < warp_end && (k == i || k % 6 != 0); ++k) head += k;
        for (int k = i; k < warp_end; ++k) {
            tail += k;
            if (k % 6 == 0) break;
        }
        CHECK(out[2 * kThreads + i] == head && out[3 * kThreads + i] == tail);
        const int first = i / 16 * 16;
        int sum = 0;
        for (int k = first; k <= i; ++k) sum += k;
        CHECK(out[4 * kThreads + i] == sum);
        CHECK(out[5 * kThreads + i] == (i == first ? -5 : i - 1) * 1000 + first + 15);
    }

    scan<<<1, kThreads>>>(in, out, maps, 1024);
    cudaDeviceSynchronize();
    int sum = 0;
    for (int i = 0; i < 1024; sum += in[i++]) CHECK(out[i] == sum);
    for (int i = 0, items = 0; i < kThreads; ++i) {
        CHECK(out[1024 + 2 * i] == (items += i) && out[1025 + 2 * i] == (items += 1));
        if (i == kThreads - 1) CHECK(out[1024 + 2 * kThreads] == items);
    }
    Map before{1, 0};
    for (int i = 0; i < kThreads; before = Then()(before, map_of(i++)))
        CHECK(maps[i].a == before.a && maps[i].b == before.b);
    cudaFree(in);
    cudaFree(out);
    cudaFree(maps);
    return failures;
}
