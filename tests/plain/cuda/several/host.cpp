#include <cuda_runtime.h>

#include <algorithm>
#include <numeric>

// Names that only device code has stay free for the host's.
static unsigned umin(unsigned a, unsigned b) { return std::min(a, b); }
int sum_of(const int* values, int count) {
    cudaDeviceSynchronize();
    return std::accumulate(values, values + umin(unsigned(count), 1000u), 0);
}
