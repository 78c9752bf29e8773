// The transpose of a matrix. The exercise: transpose.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[column * rows + row + j] = in[(row + j) * columns + column];
}

void transpose(const float* in, float* out, int rows, int columns) {
    dim3 block(32, 8);
    dim3 grid(columns / 32, rows / 32);
    transpose_kernel<<<grid, block>>>(in, out, rows, columns);
}

// Tries it at one size. The check has a main() of its own.
int main() {
    const int rows = 64, columns = 96, count = rows * columns;
    std::vector<float> values(count), turned(count);
    for (int i = 0; i < count; ++i) values[i] = static_cast<float>(i);
    float *in, *out;
    cudaMalloc(&in, count * sizeof(float));
    cudaMalloc(&out, count * sizeof(float));
    cudaMemcpy(in, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    transpose(in, out, rows, columns);
    cudaMemcpy(turned.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost);
    int right = 0;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            right += turned[column * rows + row] == values[row * columns + column];
    printf("%d of %d right\n", right, count);
    cudaFree(in);
    cudaFree(out);
}
