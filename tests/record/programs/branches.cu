// Warps whose lanes diverge, blocks whose threads return early, and barriers that not all threads
// reach.
#include "arrays.h"

__global__ void two_branches(const float* A, const float* B, float* C) {
    const unsigned i = threadIdx.x;
    float x = 0;
    if (i % 2 == 0)
        x = A[i];
    else
        x = B[i];
    C[i] = x;
}

__global__ void lowest_lane_goes_second(const float* A, const float* B, float* C) {
    const unsigned i = threadIdx.x;
    float x = 0;
    if (i % 2 == 1)
        x = A[i];
    else
        x = B[i];
    C[i] = x;
}

__global__ void some_lanes_load(const float* A, const float* B, float* C) {
    const unsigned i = threadIdx.x;
    for (unsigned k = 0; k < 3; ++k) {
        float x = i < 5 + k ? A[k] : 0.0f;
        C[i + 32 * k] = x + B[i];
    }
}

__global__ void different_trip_counts(const float* A, const float* B, float* C) {
    const unsigned i = threadIdx.x;
    float sum = 0;
    for (unsigned k = 0; k <= i % 4; ++k) sum += A[i] * B[k];
    if (sum < 0) C[i] = sum;  // never
}

__global__ void branches_in_a_loop(const float* A, const float* B, float* C) {
    const unsigned i = threadIdx.x;
    for (unsigned k = 0; k < 3; ++k) {
        if (i % 2 == 0)
            C[i] = A[k];
        else
            C[i] = B[k];
    }
}

__global__ void scatter(const float* A, const float* B, float* C) {
    const unsigned i = threadIdx.x;
    for (unsigned k = 0; k < i * 7 % 5; ++k) {
        float x = (i + k) % 3 == 0 ? B[i * k] : A[(i * 37 + k * 11) % 100];
        if ((i ^ k) % 2 == 0)
            C[i] = x;
        else if (k > 1)
            C[i + 32] = x + A[k];
    }
}

__global__ void early_exit(const float* A, const float* B, float* C) {
    __shared__ float Tile[64];
    const unsigned i = threadIdx.x;
    if (i % 4 == 3) return;
    Tile[i] = A[i];
    __syncthreads();
    if (i >= 32) return;
    C[i] = Tile[i % 4 == 2 ? i + 32 : i];
}

__global__ void half_wait(const float* A, const float* B, float* C) {
    const unsigned i = threadIdx.x;
    if (i < 16) {
        __syncthreads();
        C[i] = A[i];
    } else {
        C[i] = 1.0f;
    }
}

__global__ void two_barriers(const float* A, const float* B, float* C) {
    const unsigned i = threadIdx.x;
    if (i % 2 == 0)
        __syncthreads();
    else
        __syncthreads();
    C[i] = 2.0f;
}

__global__ void copy(const float* A, const float* B, float* C) {
    const unsigned i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    C[i] = A[i];
}

// Lane i reads what lane i + 1 wrote.
__global__ void pass_along(const float* A, const float* B, float* C) {
    __shared__ float Row[2][32];
    const unsigned lane = threadIdx.x, warp = threadIdx.y;
    for (int k = 0; k < 3; ++k) {
        Row[warp][lane] = A[k * 32 + lane];
        __syncwarp();
        C[(warp * 3 + k) * 32 + lane] = Row[warp][(lane + 1) % 32];
        __syncwarp();
    }
}

__global__ void wide(const float* A, const float* B, float* C) {
    __shared__ float4 Row[32];
    const unsigned i = threadIdx.x;
    Row[i] = ((const float4*)A)[31 - i];
    __syncthreads();
    ((float4*)C)[i] = Row[i];
}

__global__ void dynamic(const float* A, const float* B, float* C) {
    extern __shared__ float whole[];
    float* const upper = whole + 32;
    const unsigned i = threadIdx.x;
    upper[i] = A[i];
    __syncthreads();
    C[i] = whole[63 - i];
}

__global__ void squares(const float* A, const float* B, float* C) {
    const unsigned i = threadIdx.x;
    C[i] = A[i * i % 64 * 16 % 1000];
}

// Sums over two barriers of the warp.
__global__ void sums_and_warp_barriers(const float* A, const float* B, float* C) {
    const unsigned i = threadIdx.x;
    float first = 0, second = 0;
    for (int k = 0; k < 2; ++k) first += A[k + 1] * B[i];
    C[i] = first;
    __syncwarp();
    for (int k = 0; k < 3; ++k) second += A[k + 1] * B[i];
    C[32 + i] = second;
    __syncwarp();
    C[64 + i] = first;
}

// Reads shared memory that this block has not written, but the block before has.
__global__ void reads_before_writing(const float* A, const float* B, float* C) {
    __shared__ float Row[32];
    C[blockIdx.x * 32 + threadIdx.x] = Row[threadIdx.x];
    Row[threadIdx.x] = 7.0f;
}

__global__ void one_block_idles(const float* A, const float* B, float* C) {
    if (blockIdx.x == 0) C[threadIdx.x] = A[threadIdx.x];
}

inline void launch_branches() {
    for (const Kernel kernel : {two_branches, lowest_lane_goes_second, some_lanes_load,
                                different_trip_counts, branches_in_a_loop, scatter})
        launch(kernel, 32);
    launch(early_exit, 64);
    launch(half_wait, 32);
    launch(two_barriers, 32);
    launch(copy, dim3(7, 3, 2));
    launch(pass_along, dim3(32, 2));
    launch(wide, 32);
    launch(dynamic, 32, 1, 256);
    launch(squares, 32, 3);
    launch(sums_and_warp_barriers, 32);
    launch(reads_before_writing, 32, 4);
    launch(one_block_idles, 32, 2);
}
