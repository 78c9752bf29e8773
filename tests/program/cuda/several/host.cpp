#include <cuda_runtime.h>

#include <algorithm>
#include <numeric>

// CUDA has umin() only in device code, so host code may define its own.
static unsigned umin(unsigned a, unsigned b) { return std::min(a, b); }
int sum_of(const int* values, int count) {
    cudaDeviceSynchronize();
    return std::accumulate(values, values + umin(unsigned(count), 1000u), 0);
}
