// Shuffles of every kind, of several types and widths, in whole and in diverged warps.
#include "check.h"

__global__ void shuffle(int* out, double* wide, float* sum) {
    const int i = threadIdx.x;
    out[i] = __shfl_sync(0xffffffff, i * 10, 5);
    out[32 + i] = __shfl_up_sync(0xffffffff, i, 3);
    out[64 + i] = __shfl_down_sync(0xffffffff, i, 3);
    out[96 + i] = __shfl_xor_sync(0xffffffff, i, 7);
    out[128 + i] = __shfl_down_sync(0xffffffff, i, 3, 8);
    out[160 + i] = __shfl_sync(0xffffffff, i, 9, 8);  // lane 9 % 8 of each eight
    wide[i] = __shfl_xor_sync(0xffffffffu, i * 0.5, 16);
    float s = i;
    for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);
    if (i == 0) *sum = s;
    out[192 + i] = -1;
    if (i < 16) out[192 + i] = __shfl_sync(0x0000ffff, i, 15 - i);
}

int main() {
    int* out;
    double* wide;
    float* sum;
    cudaMallocManaged(&out, 224 * sizeof *out);
    cudaMallocManaged(&wide, 32 * sizeof *wide);
    cudaMallocManaged(&sum, sizeof *sum);
    shuffle<<<1, 32>>>(out, wide, sum);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i) {
        CHECK(out[i] == 50);
        CHECK(out[32 + i] == (i < 3 ? i : i - 3));
        CHECK(out[64 + i] == (i > 28 ? i : i + 3));
        CHECK(out[96 + i] == (i ^ 7));
        CHECK(out[128 + i] == (i % 8 > 4 ? i : i + 3));
        CHECK(out[160 + i] == i / 8 * 8 + 1);
        CHECK(wide[i] == (i ^ 16) * 0.5);
        CHECK(out[192 + i] == (i < 16 ? 15 - i : -1));
    }
    CHECK(*sum == 496);
    cudaFree(out);
    cudaFree(wide);
    cudaFree(sum);
    return failures;
}
