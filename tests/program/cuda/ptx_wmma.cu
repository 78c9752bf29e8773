// Inline PTX: wmma.load, wmma.mma and wmma.store. Products of small integers are exact.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "check.h"

// D = A B + C with 16 x 16 x 16: A by rows, B by columns in shared memory, C and D by rows.
__global__ void halves(const half* a, const half* b, const float* c, float* d) {
    __shared__ __align__(32) half columns[16 * 24];
    for (int i = threadIdx.x; i < 256; i += 32) columns[i / 16 * 24 + i % 16] = b[i];
    __syncwarp();
    uint32_t x[8], y[8];
    float z[8];
    asm volatile(
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], "
        "%9;"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]), "=r"(x[4]), "=r"(x[5]), "=r"(x[6]),
          "=r"(x[7])
        : "l"(a), "r"(16));
    asm volatile(
        "wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], "
        "%9;"
        : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3]), "=r"(y[4]), "=r"(y[5]), "=r"(y[6]),
          "=r"(y[7])
        : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(columns))), "r"(24));
    asm volatile(
        "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
        : "=f"(z[0]), "=f"(z[1]), "=f"(z[2]), "=f"(z[3]), "=f"(z[4]), "=f"(z[5]), "=f"(z[6]),
          "=f"(z[7])
        : "l"(c));
    asm volatile(
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, "
        "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, "
        "{%0, %1, %2, %3, %4, %5, %6, %7};"
        : "+f"(z[0]), "+f"(z[1]), "+f"(z[2]), "+f"(z[3]), "+f"(z[4]), "+f"(z[5]), "+f"(z[6]),
          "+f"(z[7])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]),
          "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]), "r"(y[7]));
    asm volatile(
        "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, "
        "%8}, %9;" ::"l"(d),
        "f"(z[0]), "f"(z[1]), "f"(z[2]), "f"(z[3]), "f"(z[4]), "f"(z[5]), "f"(z[6]), "f"(z[7]),
        "r"(16)
        : "memory");
}

// 32 x 8 x 16 with 8-bit integers: A by rows, B by rows, D by columns.
__global__ void bytes(const signed char* a, const signed char* b, int* d) {
    uint32_t x[4], y;
    int z[8] = {};
    asm volatile("wmma.load.a.sync.aligned.row.m32n8k16.global.s8 {%0, %1, %2, %3}, [%4], 16;"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "l"(a));
    asm volatile("wmma.load.b.sync.aligned.row.m32n8k16.global.s8 {%0}, [%1], 8;"
                 : "=r"(y)
                 : "l"(b));
    asm volatile(
        "wmma.mma.sync.aligned.row.row.m32n8k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, "
        "{%8, %9, %10, %11}, {%12}, {%0, %1, %2, %3, %4, %5, %6, %7};"
        : "+r"(z[0]), "+r"(z[1]), "+r"(z[2]), "+r"(z[3]), "+r"(z[4]), "+r"(z[5]), "+r"(z[6]),
          "+r"(z[7])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y));
    asm volatile(
        "wmma.store.d.sync.aligned.col.m32n8k16.global.s32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, "
        "32;" ::"l"(d),
        "r"(z[0]), "r"(z[1]), "r"(z[2]), "r"(z[3]), "r"(z[4]), "r"(z[5]), "r"(z[6]), "r"(z[7])
        : "memory");
}

// 16 x 16 x 16 with bfloat16, A by columns: elements lie across the memory's order.
__global__ void bfloats(const __nv_bfloat16* a, const __nv_bfloat16* b, float* d) {
    uint32_t x[4], y[4];
    float z[8] = {};
    asm volatile("wmma.load.a.sync.aligned.col.m16n16k16.global.bf16 {%0, %1, %2, %3}, [%4], 16;"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "l"(a));
    asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.global.bf16 {%0, %1, %2, %3}, [%4], 16;"
                 : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                 : "l"(b));
    asm volatile(
        "wmma.mma.sync.aligned.col.row.m16n16k16.f32.bf16.bf16.f32 {%0, %1, %2, %3, %4, %5, %6, "
        "%7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3, %4, %5, %6, %7};"
        : "+f"(z[0]), "+f"(z[1]), "+f"(z[2]), "+f"(z[3]), "+f"(z[4]), "+f"(z[5]), "+f"(z[6]),
          "+f"(z[7])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]));
    asm volatile(
        "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, "
        "%8};" ::"l"(d),
        "f"(z[0]), "f"(z[1]), "f"(z[2]), "f"(z[3]), "f"(z[4]), "f"(z[5]), "f"(z[6]), "f"(z[7])
        : "memory");
}

// 8 x 8 x 4 with double.
__global__ void doubles(const double* a, const double* b, double* d) {
    double x, y, z[2] = {};
    asm volatile("wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {%0}, [%1], 4;"
                 : "=d"(x)
                 : "l"(a));
    asm volatile("wmma.load.b.sync.aligned.col.m8n8k4.global.f64 {%0}, [%1], 4;"
                 : "=d"(y)
                 : "l"(b));
    asm volatile(
        "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(z[0]), "+d"(z[1])
        : "d"(x), "d"(y));
    asm volatile("wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%0], {%1, %2}, 8;" ::"l"(d),
                 "d"(z[0]), "d"(z[1])
                 : "memory");
}

template <class T>
T* filled(int count, int factor) {
    T* made;
    cudaMallocManaged(&made, count * sizeof(T));
    for (int i = 0; i < count; ++i) made[i] = T(float(i * factor % 7 - 3));
    return made;
}
// The sum over k of A[row][k] B[k][column], of elements at these distances.
template <class T>
double product(const T* a, int of_row, int of_k, const T* b, int of_k_in_b, int of_column, int k) {
    double sum = 0;
    for (int i = 0; i < k; ++i)
        sum += double(float(a[of_row + i * of_k])) * double(float(b[of_column + i * of_k_in_b]));
    return sum;
}

int main() {
    half *ha = filled<half>(256, 3), *hb = filled<half>(256, 5);
    float *c = filled<float>(256, 2), *d = filled<float>(256, 1);
    halves<<<1, 32>>>(ha, hb, c, d);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 256; ++i)
        CHECK(d[i] == c[i] + product(ha, i / 16 * 16, 1, hb, 1, i % 16 * 16, 16));

    auto *sa = filled<signed char>(512, 3), *sb = filled<signed char>(128, 5);
    int* sums = filled<int>(256, 1);
    bytes<<<1, 32>>>(sa, sb, sums);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 256; ++i)  // by columns of 32
        CHECK(sums[i] == product(sa, i % 32 * 16, 1, sb, 8, i / 32, 16));

    auto *ba = filled<__nv_bfloat16>(256, 3), *bb = filled<__nv_bfloat16>(256, 5);
    bfloats<<<1, 32>>>(ba, bb, d);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 256; ++i) CHECK(d[i] == product(ba, i / 16, 16, bb, 16, i % 16, 16));

    double *da = filled<double>(32, 3), *db = filled<double>(32, 5), *dd = filled<double>(64, 1);
    doubles<<<1, 32>>>(da, db, dd);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 64; ++i) CHECK(dd[i] == product(da, i / 8 * 4, 1, db, 1, i % 8 * 4, 4));
    for (void* each : {(void*)ha, (void*)hb, (void*)c, (void*)d, (void*)sa, (void*)sb, (void*)sums,
                       (void*)ba, (void*)bb, (void*)da, (void*)db, (void*)dd})
        cudaFree(each);
    return failures;
}
