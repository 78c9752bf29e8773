// Tiled products whose blocks are numbered in groups of rows, so that Nsight Compute can count what
// DRAM moves in each order:
//
//   nvcc -O3 -arch=sm_90 block_orders.cu -o block_orders
//   ncu --metrics dram__bytes_read.sum,dram__bytes_write.sum --csv block_orders
//
// The launches stand in block_orders.csv in their order. Exits with 1 if a product is wrong.
#include <cstdio>
#include <vector>

// GROUP = 1: the order of the launch. As tilereel::BlockOrder (analysis/l2/block_order.h).
template <int GROUP>
__device__ dim3 block_of_order() {
    const unsigned position = blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned first_row = position / (GROUP * gridDim.x) * GROUP;
    const unsigned rows = min(unsigned(GROUP), gridDim.y - first_row);
    const unsigned in_group = position - first_row * gridDim.x;
    return dim3(in_group / rows, first_row + in_group % rows);
}

template <int TILE, int GROUP>
__global__ void tiled(const float* A, const float* B, float* C, int N) {
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const dim3 block = block_of_order<GROUP>();
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = block.y * TILE + ty, col = block.x * TILE + tx;
    float sum = 0;
    for (int k0 = 0; k0 < N; k0 += TILE) {
        As[ty][tx] = A[row * N + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * N + col] = sum;
}

template <int TILE, int GROUP>
bool run(const float* A, const float* B, float* C, int N) {
    cudaMemset(C, 0, sizeof(float) * N * N);
    tiled<TILE, GROUP><<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(A, B, C, N);
    float last = 0, first = 0;
    cudaMemcpy(&first, C, sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(&last, C + size_t(N) * N - 1, sizeof(float), cudaMemcpyDeviceToHost);
    const bool right = first == 2.0f * N && last == 2.0f * N;  // A is 1, B is 2
    if (!right) std::printf("TILE %d, groups of %d, N %d: wrong\n", TILE, GROUP, N);
    return right;
}

int main() {
    bool right = true;
    for (const int N : {4096, 8192}) {
        float *A, *B, *C;
        const size_t count = size_t(N) * N;
        cudaMalloc(&A, count * sizeof(float));
        cudaMalloc(&B, count * sizeof(float));
        cudaMalloc(&C, count * sizeof(float));
        const std::vector<float> ones(count, 1.0f), twos(count, 2.0f);
        cudaMemcpy(A, ones.data(), count * sizeof(float), cudaMemcpyHostToDevice);
        cudaMemcpy(B, twos.data(), count * sizeof(float), cudaMemcpyHostToDevice);
        right = run<32, 1>(A, B, C, N) && right;
        right = run<32, 2>(A, B, C, N) && right;
        right = run<32, 4>(A, B, C, N) && right;
        right = run<32, 8>(A, B, C, N) && right;
        right = run<32, 16>(A, B, C, N) && right;
        if (N == 4096) {
            right = run<16, 1>(A, B, C, N) && right;
            right = run<16, 8>(A, B, C, N) && right;
            right = run<16, 16>(A, B, C, N) && right;
        }
        cudaFree(A), cudaFree(B), cudaFree(C);
    }
    return right ? 0 : 1;
}
