// A matrix of 48 x 100 times a vector: a thread a row, and a warp a row with shuffles.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kRows = 48, kColumns = 100;

__global__ void thread_a_row(const float* a, const float* x, float* y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= kRows) return;
    float sum = 0;
    for (int k = 0; k < kColumns; ++k) sum += a[row * kColumns + k] * x[k];
    y[row] = sum;
}

__global__ void warp_a_row(const float* a, const float* x, float* y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = lane; k < kColumns; k += 32) sum += a[row * kColumns + k] * x[k];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0) y[row] = sum;
}

int main() {
    std::vector<float> a(kRows * kColumns), x(kColumns), y(kRows);
    for (int i = 0; i < kRows * kColumns; ++i) a[i] = static_cast<float>(i % 9 - 4);
    for (int i = 0; i < kColumns; ++i) x[i] = static_cast<float>(i % 4);
    float *da, *dx, *dy;
    cudaMalloc(&da, a.size() * sizeof(float));
    cudaMalloc(&dx, x.size() * sizeof(float));
    cudaMalloc(&dy, y.size() * sizeof(float));
    cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    int wrong = 0;
    auto check = [&] {
        cudaMemcpy(y.data(), dy, y.size() * sizeof(float), cudaMemcpyDeviceToHost);
        for (int row = 0; row < kRows; ++row) {
            float sum = 0;
            for (int k = 0; k < kColumns; ++k) sum += a[row * kColumns + k] * x[k];
            wrong += sum != y[row];
        }
    };
    thread_a_row<<<2, 32>>>(da, dx, dy);
    check();
    warp_a_row<<<kRows / 4, 128>>>(da, dx, dy);
    check();
    cudaFree(da);
    cudaFree(dx);
    cudaFree(dy);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
