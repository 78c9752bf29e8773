// exercise: coalescing
// says: should be
#include <cuda_runtime.h>

__global__ void add_one_kernel(const float* in, float* out, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) out[row * columns + column] = in[row * columns + column];
}

void add_one(const float* in, float* out, int rows, int columns) {
    dim3 block(32, 8);
    dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    add_one_kernel<<<grid, block>>>(in, out, rows, columns);
}
