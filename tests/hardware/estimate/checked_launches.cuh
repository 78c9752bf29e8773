#pragma once
// What programs need whose launches are checked against the CPU: arrays on the GPU, and a
// comparison of what a launch has written with what it should have written.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <type_traits>
#include <vector>

template <class T>
T* device(const std::vector<T>& values) {
    T* memory = nullptr;
    cudaMalloc(&memory, values.size() * sizeof(T));
    cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return memory;
}
template <class T>
void restore(T* memory, const std::vector<T>& values) {
    cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
}
template <class T>
double as_double(T value) {
    if constexpr (std::is_same_v<T, __half>)
        return static_cast<double>(__half2float(value));
    else
        return static_cast<double>(value);
}

// Compares values on the GPU with those of the CPU, every step-th: integers may be off by that
// much, others by that much for each unit of the value. So many may be wrong as chaos makes of a
// different rounding.
template <class T, class Expected>
bool same(const char* name, const T* memory, int count, int step, double off, Expected expected,
          int may_be_wrong = 0) {
    std::vector<T> found(count);
    const cudaError_t error =
        cudaMemcpy(found.data(), memory, found.size() * sizeof(T), cudaMemcpyDeviceToHost);
    double most = 0;
    int compared = 0, wrong = 0, first = 0;
    for (int i = 0; i < count; i += step, ++compared) {
        const double right = static_cast<double>(expected(i));
        const double by = std::is_integral_v<T> ? 1 : std::max(1.0, std::fabs(right));
        const double miss = std::fabs(as_double(found[i]) - right) / by;
        if (miss > most) most = miss;
        if (!(miss <= off) && wrong++ == 0) first = i;
    }
    const bool fine = wrong <= may_be_wrong && error == cudaSuccess;
    std::printf("%s %s: %d compared, off by %.3g at most", fine ? "right" : "WRONG", name, compared,
                most);
    if (wrong) std::printf("; %d wrong, the first at %d", wrong, first);
    std::printf(error ? "; %s\n" : "\n", cudaGetErrorString(error));
    std::fflush(stdout);
    return fine;
}
