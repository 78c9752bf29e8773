// The dot product of two vectors of 512 with cooperative groups: tiles of 16 threads, then the
// block.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;

constexpr int kCount = 512, kBlock = 128;

__global__ void dot(const float* a, const float* b, float* result) {
    __shared__ float part[kBlock / 16];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int i = blockIdx.x * blockDim.x + block.thread_rank();
    float sum = a[i] * b[i];
    for (int s = tile.size() / 2; s > 0; s /= 2) sum += tile.shfl_down(sum, s);
    if (tile.thread_rank() == 0) part[threadIdx.x / 16] = sum;
    block.sync();
    if (block.thread_rank() == 0) {
        float all = 0;
        for (int k = 0; k < kBlock / 16; ++k) all += part[k];
        atomicAdd(result, all);
    }
}

int main() {
    std::vector<float> a(kCount), b(kCount);
    float expected = 0, got = 0, *da, *db, *result;
    for (int i = 0; i < kCount; ++i) {
        a[i] = static_cast<float>(i % 6);
        b[i] = static_cast<float>(i % 4);
        expected += a[i] * b[i];
    }
    cudaMalloc(&da, kCount * sizeof(float));
    cudaMalloc(&db, kCount * sizeof(float));
    cudaMalloc(&result, sizeof(float));
    cudaMemcpy(da, a.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(result, 0, sizeof(float));
    dot<<<kCount / kBlock, kBlock>>>(da, db, result);
    cudaMemcpy(&got, result, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    cudaFree(result);
    printf("%d wrong\n", got != expected);
    return got != expected;
}
