// cpu_naive: the product as one thread computes it
// Idea   three loops: rows, columns, products
// Watch  one thread does it all, one element of C
//        after another; no warp, so no request has
//        more than one lane
// Next   cpu tiled: as many tasks as tiles of C
// Source "The Matrix Multiplication Example",
//        Naive Implementation On CPUs
// Needs  any M, N, K
#include "kernels/dialect/dialect.h"
// For the CPU, in plain C++ too. Recorded as a launch of
// one thread: its counts are what that would cost a GPU.
template <int PAD>
__global__ void cpu_naive(
    Global<const float> A,  // M x K
    Global<const float> B,  // K x N
    Global<float> C, Shape s) {  // M x N
    for (int i = 0; i < s.m; ++i)  // row of C
        for (int j = 0; j < s.n; ++j) {  // column of C
            Accumulator<float> sum;  // C[i][j]
            for (int k = 0; k < s.k; ++k)
                sum += A[i * s.k + k] * B[k * s.n + j];
            C[i * s.n + j] = sum;
        }
}
