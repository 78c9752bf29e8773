// out = in + 1, for a matrix. The exercise: coalescing.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add_one_kernel(const float* in, float* out, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns)
        out[row * columns + column] = in[row * columns + column] + 1;
}

void add_one(const float* in, float* out, int rows, int columns) {
    dim3 block(32, 8);
    dim3 grid((rows + block.x - 1) / block.x, (columns + block.y - 1) / block.y);
    add_one_kernel<<<grid, block>>>(in, out, rows, columns);
}

// Tries it at one size. The check has a main() of its own.
int main() {
    const int rows = 64, columns = 96, count = rows * columns;
    std::vector<float> values(count, 0.5f), sums(count);
    float *in, *out;
    cudaMalloc(&in, count * sizeof(float));
    cudaMalloc(&out, count * sizeof(float));
    cudaMemcpy(in, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    add_one(in, out, rows, columns);
    cudaMemcpy(sums.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < count; ++i) right += sums[i] == 1.5f;
    printf("%d of %d right\n", right, count);
    cudaFree(in);
    cudaFree(out);
}
