// exercise: transpose
// says: no findings
#include <cuda_runtime.h>

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx;
    int row = blockIdx.y * 32 + ty;
    for (int j = 0; j < 32; j += 8) tile[ty + j][tx] = in[(row + j) * columns + column];
    column = blockIdx.y * 32 + tx;
    row = blockIdx.x * 32 + ty;
    for (int j = 0; j < 32; j += 8) out[(row + j) * rows + column] = tile[tx][ty + j];
}

void transpose(const float* in, float* out, int rows, int columns) {
    dim3 block(32, 8);
    dim3 grid(columns / 32, rows / 32);
    transpose_kernel<<<grid, block>>>(in, out, rows, columns);
}
