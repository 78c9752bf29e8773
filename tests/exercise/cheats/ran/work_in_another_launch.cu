// exercise: coalescing
// says: global_load.sectors is
#include <cuda_runtime.h>

__global__ void works(const float* in, float* out, int rows, int columns) {
    int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y;
    out[row * columns + column] = in[row * columns + column] + 1;
}
__global__ void looks_good(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }
void add_one(const float* in, float* out, int rows, int columns) {
    works<<<dim3(rows / 32, columns), 32>>>(in, out, rows, columns);
    looks_good<<<1, 32>>>(in, out);
}
