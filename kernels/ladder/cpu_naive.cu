// cpu_naive: the product, by a single thread
// Idea   three loops: rows, columns, products
// Watch  one element of C after another.
//        Counted as a launch of one thread: a
//        GPU would move a sector for each word
// Next   cpu tiled: as many tasks as tiles of
//        C
// Source "The Matrix Multiplication Example",
//        Naive Implementation On CPUs

__global__ void cpu_naive(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    for (int i = 0; i < M; ++i)  // row of C
        for (int j = 0; j < N; ++j) {  // column of C
            float sum = 0;  // C[i][j]
            for (int k = 0; k < K; ++k)
                sum += A[i * K + k] * B[k * N + j];
            C[i * N + j] = sum;
        }
}

void launch_cpu_naive(const float* A, const float* B,
                      float* C, int M, int N, int K) {
    const int grid = 1, block = 1;
    cpu_naive<<<grid, block>>>(A, B, C, M, N, K);
}
