// nvcuda::wmma with tf32, double, integers of 8 and 4 bits, and bits.
#include <crt/mma.h>

#include "check.h"

using namespace nvcuda;

template <class T>
T* managed(int count) {
    T* values;
    cudaMallocManaged(&values, count * sizeof(T));
    return values;
}
int number(int i, int j, int least, int greatest) {
    return (i * 7 + j * 13 + i * j) % (greatest - least + 1) + least;
}

template <int M, int N, int K, class T, class LayoutA, class LayoutB>
__global__ void bytes(const T* a, const T* b, int* c, bool saturates, int start) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fragment_a;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fragment_b;
    wmma::fragment<wmma::accumulator, M, N, K, int> sums;
    wmma::load_matrix_sync(fragment_a, a, std::is_same<LayoutA, wmma::row_major>::value ? K : M);
    wmma::load_matrix_sync(fragment_b, b, std::is_same<LayoutB, wmma::row_major>::value ? N : K);
    wmma::fill_fragment(sums, start);
    wmma::mma_sync(sums, fragment_a, fragment_b, sums, saturates);
    wmma::store_matrix_sync(c, sums, N, wmma::mem_row_major);
}
template <int M, int N, int K, class T, class LayoutA, class LayoutB>
void check_bytes() {
    const int least = T(-1) < T(0) ? -128 : 0, greatest = least + 255;
    T *a = managed<T>(M * K), *b = managed<T>(K * N);
    int* c = managed<int>(M * N);
    for (int k = 0; k < K; ++k) {
        for (int i = 0; i < M; ++i)
            a[std::is_same<LayoutA, wmma::row_major>::value ? i * K + k : k * M + i] =
                T(number(i, k, least, greatest));
        for (int j = 0; j < N; ++j)
            b[std::is_same<LayoutB, wmma::row_major>::value ? k * N + j : j * K + k] =
                T(number(k, j, least, greatest));
    }
    bytes<M, N, K, T, LayoutA, LayoutB><<<1, 32>>>(a, b, c, false, 5);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            int sum = 5;
            for (int k = 0; k < K; ++k)
                sum += number(i, k, least, greatest) * number(k, j, least, greatest);
            wrong += c[i * N + j] != sum;
        }
    CHECK(wrong == 0);
    for (int i = 0; i < M * K; ++i) a[i] = 100;
    for (int i = 0; i < K * N; ++i) b[i] = 100;
    bytes<M, N, K, T, LayoutA, LayoutB><<<1, 32>>>(a, b, c, true, 2147483647 - 1000);
    cudaDeviceSynchronize();
    CHECK(c[0] == 2147483647);
    cudaFree(a), cudaFree(b), cudaFree(c);
}

// Elements of 4 bits lie eight to a word, along k.
template <class T>
__global__ void nibbles(const unsigned* a, const unsigned* b, int* c) {
    namespace sub_byte = wmma::experimental::precision;
    wmma::fragment<wmma::matrix_a, 8, 8, 32, T, wmma::row_major> fragment_a;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, T, wmma::col_major> fragment_b;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> sums;
    static_assert(fragment_a.num_elements == 8 && fragment_a.num_storage_elements == 1, "one word");
    wmma::load_matrix_sync(fragment_a, a, 32);
    wmma::load_matrix_sync(fragment_b, b, 32);
    wmma::fill_fragment(sums, 0);
    wmma::mma_sync(sums, fragment_a, fragment_b, sums);
    wmma::store_matrix_sync(c, sums, 8, wmma::mem_row_major);
}
__global__ void bits(const unsigned* a, const unsigned* b, int* c) {
    namespace sub_byte = wmma::experimental::precision;
    wmma::fragment<wmma::matrix_a, 8, 8, 128, sub_byte::b1, wmma::row_major> fragment_a;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, sub_byte::b1, wmma::col_major> fragment_b;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> differ, both;
    wmma::load_matrix_sync(fragment_a, a, 128);
    wmma::load_matrix_sync(fragment_b, b, 128);
    wmma::fill_fragment(differ, 0);
    wmma::fill_fragment(both, 1000);
    wmma::bmma_sync(differ, fragment_a, fragment_b, differ);
    wmma::bmma_sync(both, fragment_a, fragment_b, both, wmma::experimental::bmmaBitOpAND);
    wmma::store_matrix_sync(c, differ, 8, wmma::mem_row_major);
    wmma::store_matrix_sync(c + 64, both, 8, wmma::mem_row_major);
}
void check_words() {
    unsigned *a = managed<unsigned>(32), *b = managed<unsigned>(32);
    int* c = managed<int>(128);
    for (int i = 0; i < 32; ++i) a[i] = 0x9e3779b9u * (i + 1), b[i] = 0x85ebca6bu * (i + 3);
    const auto nibble = [](const unsigned* from, int row, int k) {
        return int(from[row * 4 + k / 8] >> k % 8 * 4 & 15);
    };
    const auto signed_nibble = [&](const unsigned* from, int row, int k) {
        return (nibble(from, row, k) ^ 8) - 8;
    };
    int wrong = 0;
    nibbles<wmma::experimental::precision::u4><<<1, 32>>>(a, b, c);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) {
        int sum = 0;
        for (int k = 0; k < 32; ++k) sum += nibble(a, i / 8, k) * nibble(b, i % 8, k);
        wrong += c[i] != sum;
    }
    CHECK(wrong == 0);
    nibbles<wmma::experimental::precision::s4><<<1, 32>>>(a, b, c);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) {
        int sum = 0;
        for (int k = 0; k < 32; ++k) sum += signed_nibble(a, i / 8, k) * signed_nibble(b, i % 8, k);
        wrong += c[i] != sum;
    }
    CHECK(wrong == 0);
    bits<<<1, 32>>>(a, b, c);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i) {
        int differ = 0, both = 1000;
        for (int word = 0; word < 4; ++word) {
            const unsigned x = a[i / 8 * 4 + word], y = b[i % 8 * 4 + word];
            differ += __builtin_popcount(x ^ y), both += __builtin_popcount(x & y);
        }
        wrong += c[i] != differ || c[64 + i] != both;
    }
    CHECK(wrong == 0);
    cudaFree(a), cudaFree(b), cudaFree(c);
}

__global__ void wide(const float* a, const float* b, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fragment_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fragment_b;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sums;
    wmma::load_matrix_sync(fragment_a, a, 8);
    wmma::load_matrix_sync(fragment_b, b, 8);
    for (float& value : fragment_a.x) value = wmma::__float_to_tf32(value);
    for (float& value : fragment_b.x) value = wmma::__float_to_tf32(value);
    wmma::fill_fragment(sums, 0.0f);
    wmma::mma_sync(sums, fragment_a, fragment_b, sums);
    wmma::store_matrix_sync(c, sums, 16, wmma::mem_col_major);
}
// 1 + 2^-11 lies between two numbers of tf32, and goes up to 1 + 2^-10.
void check_tf32() {
    float *a = managed<float>(128), *b = managed<float>(128), *c = managed<float>(256);
    for (int i = 0; i < 128; ++i) a[i] = i % 8 == 0 ? 1 + 1.0f / 2048 : float(i / 8), b[i] = i / 8;
    wide<<<1, 32>>>(a, b, c);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int row = 0; row < 16; ++row)
        for (int column = 0; column < 16; ++column)
            wrong += c[column * 16 + row] !=
                     column * (1 + 1.0f / 1024) + 7.0f * float(row) * float(column);
    CHECK(wrong == 0);
    cudaFree(a), cudaFree(b), cudaFree(c);
}

template <class LayoutA, class LayoutB>
__global__ void doubles(const double* a, const double* b, double* c) {
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, LayoutA> fragment_a;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, LayoutB> fragment_b;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sums;
    wmma::load_matrix_sync(fragment_a, a, std::is_same<LayoutA, wmma::row_major>::value ? 4 : 8);
    wmma::load_matrix_sync(fragment_b, b, std::is_same<LayoutB, wmma::row_major>::value ? 8 : 4);
    wmma::fill_fragment(sums, 0.25);
    wmma::mma_sync(sums, fragment_a, fragment_b, sums);
    wmma::store_matrix_sync(c, sums, 8, wmma::mem_row_major);
}
// A and B in memory are 4 x 8 the one way and 8 x 4 the other way; their numbers follow the place.
void check_doubles() {
    double *a = managed<double>(32), *b = managed<double>(32), *c = managed<double>(64);
    for (int i = 0; i < 32; ++i) a[i] = i + 0.5, b[i] = 2 * i - 3;
    const auto is_product = [&](bool rows_a, bool rows_b) {
        cudaDeviceSynchronize();
        for (int i = 0; i < 64; ++i) {
            const int row = i / 8, column = i % 8;
            double sum = 0.25;
            for (int k = 0; k < 4; ++k)
                sum += a[rows_a ? row * 4 + k : k * 8 + row] *
                       b[rows_b ? k * 8 + column : column * 4 + k];
            if (c[i] != sum) return false;
        }
        return true;
    };
    doubles<wmma::row_major, wmma::col_major><<<1, 32>>>(a, b, c);
    CHECK(is_product(true, false));
    doubles<wmma::col_major, wmma::row_major><<<1, 32>>>(a, b, c);
    CHECK(is_product(false, true));
    cudaFree(a), cudaFree(b), cudaFree(c);
}

int main() {
    check_bytes<16, 16, 16, signed char, wmma::row_major, wmma::col_major>();
    check_bytes<16, 16, 16, unsigned char, wmma::col_major, wmma::row_major>();
    check_bytes<32, 8, 16, signed char, wmma::row_major, wmma::row_major>();
    check_bytes<8, 32, 16, unsigned char, wmma::row_major, wmma::col_major>();
    check_bytes<8, 32, 16, signed char, wmma::col_major, wmma::col_major>();
    check_words();
    check_tf32();
    check_doubles();
    return failures;
}
