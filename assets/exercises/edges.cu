// c = a + b, for matrices of any size. The exercise: edges.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add_kernel(const float* a, const float* b, float* c, int rows, int columns) {
    int column = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    int i = row * columns + column;
    c[i] = a[i] + b[i];
}

void add(const float* a, const float* b, float* c, int rows, int columns) {
    dim3 block(16, 16);
    dim3 grid(columns / 16, rows / 16);
    add_kernel<<<grid, block>>>(a, b, c, rows, columns);
}

// Tries it at one size. The check has a main() of its own.
int main() {
    const int rows = 40, columns = 50, count = rows * columns;
    std::vector<float> values(count, 1), sums(count);
    float *a, *b, *c;
    cudaMalloc(&a, count * sizeof(float));
    cudaMalloc(&b, count * sizeof(float));
    cudaMalloc(&c, count * sizeof(float));
    cudaMemcpy(a, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(b, values.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    add(a, b, c, rows, columns);
    cudaMemcpy(sums.data(), c, count * sizeof(float), cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < count; ++i) right += sums[i] == 2;
    printf("%d of %d right\n", right, count);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
