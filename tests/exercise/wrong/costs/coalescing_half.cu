// exercise: coalescing
// says: line 10 has all of them
// Blocks of 4 x 64 threads: a warp spans 8 rows with 4 elements each, so 8 sectors.
#include <cuda_runtime.h>

__global__ void add_one_kernel(const float* in, float* out, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns)
        out[row * columns + column] = in[row * columns + column] + 1;
}

void add_one(const float* in, float* out, int rows, int columns) {
    dim3 block(4, 64);
    dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    add_one_kernel<<<grid, block>>>(in, out, rows, columns);
}
