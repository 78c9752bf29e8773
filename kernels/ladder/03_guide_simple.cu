// 03 guide_simple: one tile of A, one tile of B
// Idea   the smallest product in tiles: A is one tile wide, B one tile high
// Watch  each read of A sends 4 bytes to all lanes of a row and uses 4 of a sector's
//        32
// Next   04 guide_a_shared reads A once per block
// Source "Shared Memory in Matrix Multiplication (C = AB)", listing 1
// [launch]
// built = {TILE = [2, 4, 8, 16, 32]}
// K_is_TILE = true
// multiples = {M = "TILE", N = "TILE"}

template <int TILE>
__global__ void guide_simple(
    const float* __restrict__ A,  // M x TILE
    const float* __restrict__ B,  // TILE x N
    float* __restrict__ C,        // M x N
    int M, int N, int K) {
    const int tx = threadIdx.x;  // 0..TILE-1
    const int ty = threadIdx.y;  // 0..TILE-1
    const int row = blockIdx.y * TILE + ty;  // of C
    const int col = blockIdx.x * TILE + tx;  // of C
    float sum = 0;  // C[row][col]
    for (int k = 0; k < TILE; ++k)
        sum += A[row * TILE + k] * B[k * N + col];
    C[row * N + col] = sum;
}

template <int TILE>
void launch_guide_simple(const float* A, const float* B,
                         float* C, int M, int N, int K) {
    const dim3 grid(N / TILE, M / TILE);
    const dim3 block(TILE, TILE);
    guide_simple<TILE><<<grid, block>>>(A, B, C, M, N, K);
}
