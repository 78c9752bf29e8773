// exercise: coalescing
// says: global_load.sectors is
#include <cuda_runtime.h>

__global__ void k(const float* in, float* out, int count) {
    for (int i = 0; i < count; ++i) out[i] = in[i] + 1;
}
void add_one(const float* in, float* out, int rows, int columns) {
    k<<<1, 1>>>(in, out, rows * columns);
}
