// 06 single_block: all of A, B and C in one block
// Idea   the simplest use of shared memory: copy both matrices in, then compute
// Watch  one block, so one multiprocessor; a thread for each element of C, 1024 at the
//        most
// Next   07 tiled_b_uncoalesced: many blocks, tiles
// Source "Lab 6 - Shared Memory" (matrix multiply), appendix
// [launch]
// built = {PAD = [0, 1, 2]}
// most_elements_of_C = 1024
// why_most_elements_of_C = "a thread each"
// K_at_most_M_and_N = true
// shared = [["As", "M", "K"], ["Bs", "K", "N"]]

template <int PAD>
__global__ void single_block(
    const float* __restrict__ A,  // M x K
    const float* __restrict__ B,  // K x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    extern __shared__ float pool[];  // sized at launch
    float* As = pool;                // M x (K + PAD)
    float* Bs = As + M * (K + PAD);  // K x (N + PAD)
    const int x = threadIdx.x;  // 0..N-1: column of C
    const int y = threadIdx.y;  // 0..M-1: row of C
    const int a = y * (K + PAD);  // row y of As
    const int pitch = N + PAD;  // row to row of Bs
    if (x < K) As[a + x] = A[y * K + x];
    if (y < K) Bs[y * pitch + x] = B[y * N + x];
    __syncthreads();  // matrices are written
    float sum = 0;  // C[y][x]
    for (int k = 0; k < K; ++k)
        sum += As[a + k] * Bs[k * pitch + x];
    C[y * N + x] = sum;
}

template <int PAD>
void launch_single_block(const float* A, const float* B,
                         float* C, int M, int N, int K) {
    const dim3 grid(1), block(N, M);
    const int floats = M * (K + PAD) + K * (N + PAD);
    const int bytes = floats * sizeof(float);
    if (bytes > 48 * 1024)  // more than the default
        cudaFuncSetAttribute(
            single_block<PAD>,
            cudaFuncAttributeMaxDynamicSharedMemorySize,
            bytes);
    single_block<PAD><<<grid, block, bytes>>>(
        A, B, C, M, N, K);
}
