// nvcuda::wmma with half and bfloat16: every shape, layout and type of accumulator.
#include <cuda_bf16.h>
#include <mma.h>

#include "check.h"

using namespace nvcuda;

// C = A B of one warp. Small integers, so that every sum is exact.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class Sum>
__global__ void multiply(const T* a, const T* b, const Sum* c, Sum* d, wmma::layout_t layout) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fragment_a;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fragment_b;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> sums;
    const bool by_rows = layout == wmma::mem_row_major;
    wmma::load_matrix_sync(fragment_a, a, std::is_same<LayoutA, wmma::row_major>::value ? K : M);
    wmma::load_matrix_sync(fragment_b, b, std::is_same<LayoutB, wmma::row_major>::value ? N : K);
    wmma::load_matrix_sync(sums, c, by_rows ? N : M, layout);
    wmma::mma_sync(sums, fragment_a, fragment_b, sums);
    for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = sums.x[i] + Sum(1.0f);
    wmma::store_matrix_sync(d, sums, by_rows ? N : M, layout);
}

float value_a(int row, int k) { return float((row * 3 + k * 5) % 7 - 3); }
float value_b(int k, int column) { return float((k * 2 + column * 3) % 5 - 2); }
float value_c(int row, int column) { return float((row + column * 7) % 9); }

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class Sum>
void check(wmma::layout_t layout) {
    constexpr bool kRowsA = std::is_same<LayoutA, wmma::row_major>::value;
    constexpr bool kRowsB = std::is_same<LayoutB, wmma::row_major>::value;
    const bool rows = layout == wmma::mem_row_major;
    T *a, *b;
    Sum *c, *d;
    cudaMallocManaged(&a, M * K * sizeof(T));
    cudaMallocManaged(&b, K * N * sizeof(T));
    cudaMallocManaged(&c, M * N * sizeof(Sum));
    cudaMallocManaged(&d, M * N * sizeof(Sum));
    for (int k = 0; k < K; ++k) {
        for (int row = 0; row < M; ++row)
            a[kRowsA ? row * K + k : k * M + row] = T(value_a(row, k));
        for (int column = 0; column < N; ++column)
            b[kRowsB ? k * N + column : column * K + k] = T(value_b(k, column));
    }
    const auto place = [rows](int row, int column) {
        return rows ? row * N + column : column * M + row;
    };
    for (int row = 0; row < M; ++row)
        for (int column = 0; column < N; ++column)
            c[place(row, column)] = Sum(value_c(row, column));
    multiply<M, N, K, T, LayoutA, LayoutB, Sum><<<1, 32>>>(a, b, c, d, layout);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int row = 0; row < M; ++row)
        for (int column = 0; column < N; ++column) {
            float sum = value_c(row, column) + 1;
            for (int k = 0; k < K; ++k) sum += value_a(row, k) * value_b(k, column);
            wrong += float(d[place(row, column)]) != sum;
        }
    CHECK(wrong == 0);
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}

template <int M, int N, int K, class T, class Sum>
void check_layouts() {
    typedef wmma::row_major Rows;
    typedef wmma::col_major Columns;
    check<M, N, K, T, Rows, Rows, Sum>(wmma::mem_row_major);
    check<M, N, K, T, Rows, Columns, Sum>(wmma::mem_col_major);
    check<M, N, K, T, Columns, Rows, Sum>(wmma::mem_row_major);
    check<M, N, K, T, Columns, Columns, Sum>(wmma::mem_col_major);
}

// Which element x[i] is: measured on an H100. Lane 0 of A holds (0, 0), (0, 1), (8, 0), (8, 1),
// (0, 8), ..., all of them twice; lane 5 begins with (1, 2).
__global__ void elements(const half* a, float* out) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fragment;
    static_assert(fragment.num_elements == 16 && fragment.num_storage_elements == 16, "x[16]");
    wmma::load_matrix_sync(fragment, a, 16);
    for (int i = 0; i < 16; ++i) out[threadIdx.x * 16 + i] = fragment.x[i];
}
void check_elements() {
    half* a;
    float* out;
    cudaMallocManaged(&a, 256 * sizeof(half));
    cudaMallocManaged(&out, 512 * sizeof(float));
    for (int i = 0; i < 256; ++i) a[i] = half(i);
    elements<<<1, 32>>>(a, out);
    cudaDeviceSynchronize();
    const int expected[8] = {0, 1, 8 * 16, 8 * 16 + 1, 8, 9, 8 * 16 + 8, 8 * 16 + 9};
    for (int i = 0; i < 16; ++i) CHECK(out[i] == expected[i % 8]);
    CHECK(out[5 * 16] == 16 + 2);
    CHECK(out[31 * 16 + 7] == 15 * 16 + 15);
    cudaFree(a), cudaFree(out);
}

// Half sums into float, and a filled fragment; several warps, each with a tile of C in shared
// memory.
__global__ void four_warps(const half* a, const half* b, float* c) {
    __shared__ float tile[4][256];
    const int warp = threadIdx.x / 32;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fragment_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fragment_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> half_sums;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(half_sums, half(2.0f));
    wmma::load_matrix_sync(fragment_a, a + warp * 256, 16);
    wmma::load_matrix_sync(fragment_b, b, 16);
    wmma::mma_sync(sums, fragment_a, fragment_b, half_sums);
    wmma::mma_sync(sums, fragment_a, fragment_b, sums);
    wmma::store_matrix_sync(tile[warp], sums, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x % 32; i < 256; i += 32) c[warp * 256 + i] = tile[warp][i];
}
void check_warps() {
    half *a, *b;
    float* c;
    cudaMallocManaged(&a, 1024 * sizeof(half));
    cudaMallocManaged(&b, 256 * sizeof(half));
    cudaMallocManaged(&c, 1024 * sizeof(float));
    for (int i = 0; i < 1024; ++i) a[i] = half(value_a(i / 16, i % 16));
    for (int i = 0; i < 256; ++i) b[i] = half(value_b(i % 16, i / 16));
    four_warps<<<1, 128>>>(a, b, c);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int row = 0; row < 64; ++row)
        for (int column = 0; column < 16; ++column) {
            float sum = 2;
            for (int k = 0; k < 16; ++k) sum += 2 * value_a(row, k) * value_b(k, column);
            wrong += c[row * 16 + column] != sum;
        }
    CHECK(wrong == 0);
    cudaFree(a), cudaFree(b), cudaFree(c);
}

int main() {
    check_layouts<16, 16, 16, half, float>();
    check_layouts<32, 8, 16, half, float>();
    check_layouts<8, 32, 16, half, float>();
    check_layouts<16, 16, 16, half, half>();
    check_layouts<32, 8, 16, half, half>();
    check_layouts<8, 32, 16, half, half>();
    check_layouts<16, 16, 16, __nv_bfloat16, float>();
    check_layouts<32, 8, 16, __nv_bfloat16, float>();
    check_layouts<8, 32, 16, __nv_bfloat16, float>();
    check_elements();
    check_warps();
    return failures;
}
