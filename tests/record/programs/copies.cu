// Asynchronous copies, each kernel wrong or right in its own way. One block of 64 threads.
#include <cuda_pipeline.h>

#include "arrays.h"

constexpr int kCopyThreads = 64;

// Thread i copies A[i] and stores its neighbour's value in C[i]. STEP says what is missing: 0
// nothing; 1 the wait; 2 the barrier; 3 both; 4 the commit.
template <int STEP>
__global__ void copy_to_neighbour(const float* A, const float* B, float* C) {
    __shared__ float As[kCopyThreads];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&As[i], &A[i], sizeof(float));
    if (STEP != 4) __pipeline_commit();
    if (STEP != 1 && STEP != 3) __pipeline_wait_prior(0);
    if (STEP != 2 && STEP != 3) __syncthreads();
    C[i] = As[(i + 1) % kCopyThreads];
}

// Reads what it copies itself.
template <bool WAITS>
__global__ void copy_to_self(const float* A, const float* B, float* C) {
    __shared__ float As[kCopyThreads];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&As[i], &A[i], sizeof(float));
    __pipeline_commit();
    if (WAITS) __pipeline_wait_prior(0);
    C[i] = As[i];
}

// Three groups of 16 bytes; waits for the oldest, then for the rest.
__global__ void copy_in_groups(const float* A, const float* B, float* C) {
    __shared__ alignas(16) float As[3][4 * kCopyThreads];
    const int i = threadIdx.x;
    for (int group = 0; group < 3; ++group) {
        __pipeline_memcpy_async(&As[group][4 * i], &A[group * 4 * kCopyThreads + 4 * i], 16);
        __pipeline_commit();
    }
    __pipeline_wait_prior(2);
    const float first = As[0][4 * i];
    __pipeline_wait_prior(0);
    const float last = As[2][4 * i + 3];
    C[i] = first + last;
}

// A buffer is filled again while another warp may still read it.
template <bool BARRIER>
__global__ void copy_again(const float* A, const float* B, float* C) {
    __shared__ float As[kCopyThreads];
    const int i = threadIdx.x;
    float sum = 0;
    for (int t = 0; t < 2; ++t) {
        __pipeline_memcpy_async(&As[i], &A[t * kCopyThreads + i], sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        sum = sum + As[kCopyThreads - 1 - i];
        if (BARRIER) __syncthreads();
    }
    C[i] = sum;
}

inline void launch_copies() {
    for (const Kernel kernel :
         {copy_to_neighbour<0>, copy_to_neighbour<1>, copy_to_neighbour<2>, copy_to_neighbour<3>,
          copy_to_neighbour<4>, copy_to_self<false>, copy_to_self<true>, copy_in_groups,
          copy_again<false>, copy_again<true>})
        launch(kernel, kCopyThreads);
}
