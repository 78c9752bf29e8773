// A seven-point stencil of double over 16 x 12 x 10 points, in blocks of three dimensions.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kX = 16, kY = 12, kZ = 10;

__global__ void stencil(const double* in, double* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= kX - 1 || y >= kY - 1 || z >= kZ - 1) return;
    int i = (z * kY + y) * kX + x;
    double sum = in[i - 1] + in[i + 1];
    sum += in[i - kX] + in[i + kX];
    sum += in[i - kX * kY] + in[i + kX * kY];
    out[i] = sum - 6 * in[i];
}

int main() {
    std::vector<double> a(kX * kY * kZ), b(a.size());
    for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i % 13);
    double *in, *out;
    size_t bytes = a.size() * sizeof(double);
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemset(out, 0, bytes);
    cudaMemcpy(in, a.data(), bytes, cudaMemcpyHostToDevice);
    dim3 block(8, 4, 2), grid(kX / block.x, kY / block.y, kZ / block.z);
    stencil<<<grid, block>>>(in, out);
    cudaMemcpy(b.data(), out, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int z = 1; z < kZ - 1; ++z)
        for (int y = 1; y < kY - 1; ++y)
            for (int x = 1; x < kX - 1; ++x) {
                int i = (z * kY + y) * kX + x;
                double sum = a[i - 1] + a[i + 1] + a[i - kX] + a[i + kX] + a[i - kX * kY] +
                             a[i + kX * kY] - 6 * a[i];
                wrong += sum != b[i];
            }
    cudaFree(in);
    cudaFree(out);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
