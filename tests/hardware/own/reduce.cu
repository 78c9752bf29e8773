// Sums an array: each block its part, one atomic addition a block.
#include <cstdio>
#include <vector>

constexpr int kThreads = 256;

__global__ void reduce(const float* x, float* sum, int n) {
    __shared__ float part[kThreads];
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += x[i];
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int s = kThreads / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

int main() {
    const int n = 8192;
    std::vector<float> x(n);
    for (int i = 0; i < n; ++i) x[i] = float(i % 13) * 0.25f;
    float *dx, *dsum, sum = 0;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dsum, sizeof(float));
    cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(dsum, 0, sizeof(float));
    reduce<<<n / (4 * kThreads), kThreads>>>(dx, dsum, n);
    cudaMemcpy(&sum, dsum, sizeof sum, cudaMemcpyDeviceToHost);
    std::printf("%g\n", sum);
    cudaFree(dx);
    cudaFree(dsum);
}
