// exercise: edges
// says: beyond the last of its
#include <cuda_runtime.h>

__global__ void add_kernel(const float* a, const float* b, float* c, int rows, int columns) {
    int column = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    int i = row * columns + column;
    c[i] = a[i] + b[i];
}

void add(const float* a, const float* b, float* c, int rows, int columns) {
    dim3 block(16, 16);
    dim3 grid((columns + 15) / 16, (rows + 15) / 16);
    add_kernel<<<grid, block>>>(a, b, c, rows, columns);
}
