// CUB: device-wide functions run on the host.
#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>
#include <vector>

#include "check.h"
#include "cub_names.h"

constexpr int kN = 1000;

// Calls the function twice: for the size of its storage, and for the work.
template <class Function>
void twice(Function function) {
    void* storage = nullptr;
    std::size_t bytes = 0;
    CHECK(function(storage, bytes) == cudaSuccess && bytes > 0);
    cudaMalloc(&storage, bytes);
    CHECK(function(storage, bytes) == cudaSuccess);
    cudaFree(storage);
}
template <class T>
std::vector<T> on_host(const T* device, int count) {
    std::vector<T> copy(count);
    cudaMemcpy(copy.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
    return copy;
}

struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
struct Greater {
    __host__ __device__ bool operator()(int a, int b) const { return a > b; }
};

void check_reductions(int* in, int* out, const std::vector<int>& host) {
    const int sum = std::accumulate(host.begin(), host.end(), 0);
    twice([&](void* s, std::size_t& b) { return cub::DeviceReduce::Sum(s, b, in, out, kN); });
    CHECK(on_host(out, 1)[0] == sum);
    twice([&](void* s, std::size_t& b) { return cub::DeviceReduce::Min(s, b, in, out, kN); });
    CHECK(on_host(out, 1)[0] == *std::min_element(host.begin(), host.end()));
    twice([&](void* s, std::size_t& b) {
        return cub::DeviceReduce::Reduce(s, b, in, out, kN, cub::Max(), 7);
    });
    CHECK(on_host(out, 1)[0] == *std::max_element(host.begin(), host.end()));
    cub::TransformInputIterator<int, Square, int*> squares(in, Square());
    twice([&](void* s, std::size_t& b) { return cub::DeviceReduce::Sum(s, b, squares, out, kN); });
    CHECK(on_host(out, 1)[0] == std::inner_product(host.begin(), host.end(), host.begin(), 0));
    auto* pair = reinterpret_cast<cub::KeyValuePair<int, int>*>(out);
    twice([&](void* s, std::size_t& b) { return cub::DeviceReduce::ArgMax(s, b, in, pair, kN); });
    const auto most = std::max_element(host.begin(), host.end());
    CHECK(on_host(pair, 1)[0].key == most - host.begin() && on_host(pair, 1)[0].value == *most);

    const int offsets[] = {0, 10, 10, 500, kN};
    int* segments;
    cudaMalloc(&segments, sizeof offsets);
    cudaMemcpy(segments, offsets, sizeof offsets, cudaMemcpyHostToDevice);
    twice([&](void* s, std::size_t& b) {
        return cub::DeviceSegmentedReduce::Sum(s, b, in, out, 4, segments, segments + 1);
    });
    for (int i = 0; i < 4; ++i)
        CHECK(on_host(out, 4)[i] ==
              std::accumulate(host.begin() + offsets[i], host.begin() + offsets[i + 1], 0));
    cudaFree(segments);
}

// A sum in one chain of floats would lose a quarter at each step beyond 2^23.
void check_precision() {
    const int n = 1 << 22;
    float* out;
    cudaMalloc(&out, sizeof *out);
    cub::ConstantInputIterator<float> ones(5.25f);
    twice([&](void* s, std::size_t& b) { return cub::DeviceReduce::Sum(s, b, ones, out, n); });
    CHECK(on_host(out, 1)[0] == 5.25f * (1 << 22));
    cudaFree(out);
}

void check_scans(int* in, int* out, const std::vector<int>& host) {
    twice(
        [&](void* s, std::size_t& b) { return cub::DeviceScan::ExclusiveSum(s, b, in, out, kN); });
    std::vector<int> right(kN);
    std::exclusive_scan(host.begin(), host.end(), right.begin(), 0);
    CHECK(on_host(out, kN) == right);
    twice([&](void* s, std::size_t& b) {
        return cub::DeviceScan::InclusiveScan(s, b, in, out, cub::Max(), kN);
    });
    std::inclusive_scan(host.begin(), host.end(), right.begin(),
                        [](int a, int b) { return std::max(a, b); });
    CHECK(on_host(out, kN) == right);
    int *keys, *runs, *number;
    cudaMalloc(&keys, kN * sizeof(int));
    cudaMalloc(&runs, kN * sizeof(int));
    cudaMalloc(&number, sizeof(int));
    std::vector<int> key(kN);
    for (int i = 0; i < kN; ++i) key[i] = i / 7;
    cudaMemcpy(keys, key.data(), kN * sizeof(int), cudaMemcpyHostToDevice);
    twice([&](void* s, std::size_t& b) {
        return cub::DeviceReduce::ReduceByKey(s, b, keys, runs, in, out, number, cub::Sum(), kN);
    });
    CHECK(on_host(number, 1)[0] == (kN + 6) / 7);
    for (int i = 0; i < kN / 7; ++i) {
        const auto first = host.begin() + 7 * i;
        CHECK(on_host(runs, kN)[i] == i &&
              on_host(out, kN)[i] == std::accumulate(first, first + 7, 0));
    }
    twice([&](void* s, std::size_t& b) {
        return cub::DeviceRunLengthEncode::Encode(s, b, keys, runs, out, number, kN);
    });
    CHECK(on_host(number, 1)[0] == (kN + 6) / 7 && on_host(out, 3)[2] == 7);
    for (int* pointer : {keys, runs, number}) cudaFree(pointer);
}

void check_selections(int* in, int* out, const std::vector<int>& host) {
    int* number;
    cudaMalloc(&number, sizeof *number);
    std::vector<int> odd;
    std::copy_if(host.begin(), host.end(), std::back_inserter(odd), IsOdd());
    twice([&](void* s, std::size_t& b) {
        return cub::DeviceSelect::If(s, b, in, out, number, kN, IsOdd());
    });
    CHECK(on_host(number, 1)[0] == int(odd.size()) && on_host(out, int(odd.size())) == odd);
    twice([&](void* s, std::size_t& b) {
        return cub::DevicePartition::If(s, b, in, out, number, kN, IsOdd());
    });
    const std::vector<int> parts = on_host(out, kN);
    CHECK(std::equal(odd.begin(), odd.end(), parts.begin()) && parts[kN - 1] % 2 == 0);
    twice([&](void* s, std::size_t& b) {
        return cub::DeviceSelect::Flagged(s, b, in, in, out, number, kN);
    });
    CHECK(on_host(number, 1)[0] == kN - std::count(host.begin(), host.end(), 0));
    cudaFree(number);
}

void check_sorts(int* in, int* out, const std::vector<int>& host) {
    std::vector<int> sorted = host;
    std::sort(sorted.begin(), sorted.end());
    twice(
        [&](void* s, std::size_t& b) { return cub::DeviceRadixSort::SortKeys(s, b, in, out, kN); });
    CHECK(on_host(out, kN) == sorted);
    int *values, *other;
    cudaMalloc(&values, kN * sizeof(int));
    cudaMalloc(&other, kN * sizeof(int));
    std::vector<int> order(kN);
    std::iota(order.begin(), order.end(), 0);
    cudaMemcpy(values, order.data(), kN * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(out, host.data(), kN * sizeof(int), cudaMemcpyHostToDevice);
    int* spare;
    cudaMalloc(&spare, kN * sizeof(int));
    cub::DoubleBuffer<int> keys(out, spare), pairs(values, other);
    twice([&](void* s, std::size_t& b) {
        return cub::DeviceRadixSort::SortPairsDescending(s, b, keys, pairs, kN);
    });
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return host[b] < host[a]; });
    CHECK(on_host(pairs.Current(), kN) == order);
    CHECK(on_host(keys.Current(), kN)[0] == sorted[kN - 1]);
    cudaMemcpy(out, host.data(), kN * sizeof(int), cudaMemcpyHostToDevice);
    twice([&](void* s, std::size_t& b) {
        return cub::DeviceMergeSort::SortKeys(s, b, out, kN, Greater());
    });
    std::reverse(sorted.begin(), sorted.end());
    CHECK(on_host(out, kN) == sorted);
    for (int* pointer : {values, other, spare}) cudaFree(pointer);
}

void check_histogram(int* in, const std::vector<int>& host) {
    int* counts;
    cudaMalloc(&counts, 10 * sizeof *counts);
    twice([&](void* s, std::size_t& b) {
        return cub::DeviceHistogram::HistogramEven(s, b, in, counts, 11, -50, 50, kN);
    });
    for (int i = 0; i < 10; ++i)
        CHECK(on_host(counts, 10)[i] == std::count_if(host.begin(), host.end(), [i](int x) {
                  return x >= -50 + 10 * i && x < -40 + 10 * i;
              }));
    cudaFree(counts);
}

int main() {
    std::vector<int> host(kN);
    for (int i = 0; i < kN; ++i) host[i] = i * 7919 % 113 - 56;
    int *in, *out;
    CubDebugExit(cudaMalloc(&in, kN * sizeof *in));
    cub::CachingDeviceAllocator allocator(true);
    CubDebugExit(allocator.DeviceAllocate((void**)&out, kN * sizeof *out));
    cudaMemcpy(in, host.data(), kN * sizeof *in, cudaMemcpyHostToDevice);
    check_reductions(in, out, host);
    check_precision();
    check_scans(in, out, host);
    check_selections(in, out, host);
    check_sorts(in, out, host);
    check_histogram(in, host);
    cub::DeviceFor::ForEachN(out, 10, [] __device__(int& x) { x = 5; });
    CHECK(on_host(out, 10) == std::vector<int>(10, 5));
    cudaFree(in);
    CubDebugExit(allocator.DeviceFree(out));
    return failures;
}
