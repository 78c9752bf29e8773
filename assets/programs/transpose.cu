// The transpose of a 64 x 64 matrix in four ways
// (G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA", NVIDIA, 2009).
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kSide = 64, kTile = 32, kRows = 8;

__global__ void straight(const float* in, float* out) {
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows) out[x * kSide + y + j] = in[(y + j) * kSide + x];
}

__global__ void through_shared(const float* in, float* out) {
    __shared__ float tile[kTile][kTile];
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * kSide + x];
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x;
    y = blockIdx.x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        out[(y + j) * kSide + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void padded(const float* in, float* out) {
    __shared__ float tile[kTile][kTile + 1];
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * kSide + x];
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x;
    y = blockIdx.x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        out[(y + j) * kSide + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void diagonal(const float* in, float* out) {
    __shared__ float tile[kTile][kTile + 1];
    int by = blockIdx.x, bx = (blockIdx.x + blockIdx.y) % gridDim.x;
    int x = bx * kTile + threadIdx.x, y = by * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * kSide + x];
    __syncthreads();
    x = by * kTile + threadIdx.x;
    y = bx * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += kRows)
        out[(y + j) * kSide + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
    std::vector<float> a(kSide * kSide), b(kSide * kSide);
    for (int i = 0; i < kSide * kSide; ++i) a[i] = static_cast<float>(i);
    float *in, *out;
    size_t bytes = a.size() * sizeof(float);
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemcpy(in, a.data(), bytes, cudaMemcpyHostToDevice);
    dim3 grid(kSide / kTile, kSide / kTile), block(kTile, kRows);
    int wrong = 0;
    auto check = [&] {
        cudaMemcpy(b.data(), out, bytes, cudaMemcpyDeviceToHost);
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x) wrong += b[x * kSide + y] != a[y * kSide + x];
        cudaMemset(out, 0, bytes);
    };
    straight<<<grid, block>>>(in, out);
    check();
    through_shared<<<grid, block>>>(in, out);
    check();
    padded<<<grid, block>>>(in, out);
    check();
    diagonal<<<grid, block>>>(in, out);
    check();
    cudaFree(in);
    cudaFree(out);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
