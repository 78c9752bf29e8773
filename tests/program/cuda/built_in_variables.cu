// threadIdx, blockIdx, blockDim, gridDim in three dimensions; warpSize.
#include "check.h"

__global__ void number(int* out) {
    const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    out[block * threads + thread] =
        warpSize * 10000 + blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z + 1000 * threadIdx.y;
}

int main() {
    const dim3 grid(2, 3, 4), block(5, 2, 3);
    int* out;
    cudaMallocManaged(&out, 24 * 30 * sizeof(int));
    number<<<grid, block>>>(out);
    cudaDeviceSynchronize();
    int at = 0;
    for (int bz = 0; bz < 4; ++bz)
        for (int by = 0; by < 3; ++by)
            for (int bx = 0; bx < 2; ++bx)
                for (int tz = 0; tz < 3; ++tz)
                    for (int ty = 0; ty < 2; ++ty)
                        for (int tx = 0; tx < 5; ++tx)
                            CHECK(out[at++] == 320000 + bx + 10 * by + 100 * bz + 1000 * ty);
    cudaFree(out);
    return failures;
}
