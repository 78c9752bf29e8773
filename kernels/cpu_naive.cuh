// cpu_naive: the product, by a single thread
// Idea   three loops: rows, columns, products
// Watch  one element of C after another. Counted as
//        a launch of one thread: a GPU would move a
//        sector for each word
// Next   cpu tiled: as many tasks as tiles of C
// Source "The Matrix Multiplication Example",
//        Naive Implementation On CPUs
// Needs  any M, N, K
#include "kernels/dialect/dialect.h"
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
