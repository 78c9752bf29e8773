// Each line that ends in "cheat" is refused, because its accesses would not be counted. The
// exercise is first_kernel.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

struct Parts {
    unsigned low : 5, high : 27;
};
struct Pair {
    float a, b;
};

__device__ int (*const hidden)(const char*) = &std::system;

__global__ void k(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    size_t bytes = sizeof(float) * (1 + n / 1000);
    memcpy(&out[i], &in[i], bytes);                       // cheat
    memset(&out[i], 0, bytes);                            // cheat
    memmove(&out[i], &in[i], bytes);                      // cheat
    out[i] += reinterpret_cast<const Parts*>(in)[i].low;  // cheat
    std::swap(out[i], out[(i + 1) % n]);                  // cheat
    auto pair = std::minmax(in[i], in[0]);                // cheat
    hidden("true");                                       // cheat
    srand48(i);                                           // cheat
    printf("a thread\n");
    out[i] = 2 * in[i];
}

void scale(const float* in, float* out, int n) { k<<<(n + 127) / 128, 128>>>(in, out, n); }
