// C = A B in half precision, 32 x 32 x 32, tiles of 16 in shared memory, sums in float.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kSide = 32, kTile = 16;

__global__ void multiply(const __half* a, const __half* b, __half* c) {
    __shared__ __half as[kTile][kTile], bs[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int t = 0; t < kSide; t += kTile) {
        as[ty][tx] = a[row * kSide + t + tx];
        bs[ty][tx] = b[(t + ty) * kSide + col];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += __half2float(as[ty][k]) * __half2float(bs[k][tx]);
        __syncthreads();
    }
    c[row * kSide + col] = __float2half(sum);
}

int main() {
    std::vector<__half> a(kSide * kSide), b(a.size()), c(a.size());
    auto value = [](int i, int by) { return static_cast<float>(i % by); };
    for (int i = 0; i < kSide * kSide; ++i)
        a[i] = __float2half(value(i, 5)), b[i] = __float2half(value(i, 3));
    __half *da, *db, *dc;
    size_t bytes = a.size() * sizeof(__half);
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMalloc(&dc, bytes);
    cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
    multiply<<<dim3(2, 2), dim3(kTile, kTile)>>>(da, db, dc);
    cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int row = 0; row < kSide; ++row)
        for (int col = 0; col < kSide; ++col) {
            float sum = 0;
            for (int k = 0; k < kSide; ++k)
                sum += value(row * kSide + k, 5) * value(k * kSide + col, 3);
            wrong += sum != __half2float(c[row * kSide + col]);
        }
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
