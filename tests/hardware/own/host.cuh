// What a host program for one kernel measures, written by hand as a reader would: events on the
// default stream around launches that use other arrays each, so that L2 has nothing of them, and
// the median of nine such rounds. No part of Tilereel is used.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

inline void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(1);
}

struct Arrays {
    std::vector<float*> at;
};

// `elements`: of each array of a launch. Prints "n microseconds".
inline void measure(long long n, const std::vector<long long>& elements,
                    const std::function<void(const Arrays&)>& launch) {
    long long bytes = 0;
    for (const long long each : elements) bytes += 4 * each;
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0));
    std::size_t available = 0, all = 0;
    check(cudaMemGetInfo(&available, &all));
    const long long wanted = std::clamp<long long>(3ll * device.l2CacheSize / bytes + 2, 8, 512);
    const long long sets =
        std::max<long long>(std::min<long long>(wanted, available / 2 / bytes), 1);
    std::vector<Arrays> arrays(sets);
    for (Arrays& set : arrays)
        for (const long long each : elements) {
            check(cudaMalloc(&set.at.emplace_back(), 4 * each));
            std::vector<float> values(each);
            for (long long i = 0; i < each; ++i) values[i] = float(i % 97) * 0.25f;
            check(cudaMemcpy(set.at.back(), values.data(), 4 * each, cudaMemcpyHostToDevice));
        }
    void* scratch = nullptr;
    check(cudaMalloc(&scratch, 2ll * device.l2CacheSize));
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    for (int i = 0; i < 3; ++i) launch(arrays[i % sets]);
    std::vector<float> rounds;
    for (int round = 0; round < 9; ++round) {
        check(cudaMemset(scratch, round, 2ll * device.l2CacheSize));
        check(cudaDeviceSynchronize());
        check(cudaEventRecord(begin));
        for (const Arrays& set : arrays) launch(set);
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin, end));
        rounds.push_back(1000 * milliseconds / sets);
    }
    std::sort(rounds.begin(), rounds.end());
    std::printf("%lld %.3f\n", n, rounds[rounds.size() / 2]);
    for (Arrays& set : arrays)
        for (float* each : set.at) check(cudaFree(each));
    check(cudaFree(scratch));
}
