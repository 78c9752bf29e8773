#pragma once
// Kernels that copy asynchronously, each wrong or right in its own way. One block, C of 64 floats;
// thread i copies A[i] and stores its neighbour's value in C[i]. Define a build first.
#include "kernels/dialect/dialect.h"

namespace tilereel {

inline constexpr int kCopyThreads = 64;

// STEP: 0 all in place; 1 no wait; 2 no barrier; 3 neither; 4 never committed.
template <int STEP>
__global__ void copy_to_neighbour(Global<const float> A, Global<const float>, Global<float> C,
                                  Shape) {
    SHARED(float, As, kCopyThreads);
    const int i = threadIdx.x;
    copy_async(As[i], A[i]);
    if (STEP != 4) commit_copies();
    if (STEP != 1 && STEP != 3) wait_copies<0>();
    if (STEP != 2 && STEP != 3) __syncthreads();
    const float value = As[(i + 1) % kCopyThreads];
    C[i] = value;
}

// Reads what it copies itself.
template <bool WAITS>
__global__ void copy_to_self(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    SHARED(float, As, kCopyThreads);
    const int i = threadIdx.x;
    copy_async(As[i], A[i]);
    commit_copies();
    if (WAITS) wait_copies<0>();
    const float value = As[i];
    C[i] = value;
}

// Three groups of 16 bytes; waits for the oldest, then for the rest.
__global__ inline void copy_in_groups(Global<const float> A, Global<const float>, Global<float> C,
                                      Shape) {
    alignas(16) SHARED(float, As, 3, 4 * kCopyThreads);
    const int i = threadIdx.x;
    for (int group = 0; group < 3; ++group) {
        const auto from = A + group * 4 * kCopyThreads;
        copy_async(as<float4>(As[group])[i], as<const float4>(from)[i]);
        commit_copies();
    }
    wait_copies<2>();
    const float first = As[0][4 * i];
    wait_copies<0>();
    const float last = As[2][4 * i + 3];
    C[i] = first + last;
}

// A buffer is filled again while another warp may still read it.
template <bool BARRIER>
__global__ void copy_again(Global<const float> A, Global<const float>, Global<float> C, Shape) {
    SHARED(float, As, kCopyThreads);
    const int i = threadIdx.x;
    float sum = 0;
    for (int t = 0; t < 2; ++t) {
        copy_async(As[i], A[t * kCopyThreads + i]);
        commit_copies();
        wait_copies<0>();
        __syncthreads();
        const float value = As[kCopyThreads - 1 - i];
        sum = sum + value;
        if (BARRIER) __syncthreads();
    }
    C[i] = sum;
}

}  // namespace tilereel
