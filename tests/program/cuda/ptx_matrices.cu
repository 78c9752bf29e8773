// Inline PTX: matrix loads and stores, transposed matrices, products of fragments.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "check.h"

__device__ uint32_t smem(const void* pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
#define LDMATRIX_X4(r, address)                                                       \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n" \
                 : "=r"((r)[0]), "=r"((r)[1]), "=r"((r)[2]), "=r"((r)[3])             \
                 : "r"(address))

// C (16 x 8) = A (16 x 16) B (16 x 8), one warp.
template <class T>
__global__ void product(const T* A, const T* B, float* C) {
    __shared__ __align__(16) T As[16][24], Bs[16][8];
    const int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32) As[i / 16][i % 16] = A[i];
    for (int i = lane; i < 128; i += 32) Bs[i / 8][i % 8] = B[i];
    __syncthreads();
    uint32_t a[4], b[2];
    LDMATRIX_X4(a, smem(&As[lane % 16][lane / 16 * 8]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];\n"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(smem(&Bs[lane % 16][0])));
    float c[4] = {1, 1, 1, 1};
    {
        constexpr bool is_half = std::is_same<T, half>::value;
        if (is_half)
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
        else
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
    const int row = lane / 4, column = lane % 4 * 2;
    for (int i = 0; i < 4; ++i) C[(row + i / 2 * 8) * 8 + column + i % 2] = c[i];
}

// Rows of a matrix, transposed by each of the three instructions.
__global__ void transposes(const uint16_t* from, uint16_t* by_load, uint16_t* by_store,
                           uint16_t* by_move) {
    __shared__ __align__(16) uint16_t tile[64], turned[64], moved[64];
    const int lane = threadIdx.x, at = lane / 4 * 8 + lane % 4 * 2;
    tile[lane] = from[lane], tile[lane + 32] = from[lane + 32];
    __syncthreads();
    uint32_t plain, transposed, exchanged;
    const uint32_t row = smem(tile + lane % 8 * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {%0}, [%1];"
                 : "=r"(plain)
                 : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(transposed)
                 : "r"(row));
    by_load[at] = transposed & 0xffff, by_load[at + 1] = transposed >> 16;
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(
                     smem(turned + lane % 8 * 8)),
                 "r"(plain)
                 : "memory");
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(exchanged) : "r"(plain));
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(smem(moved + lane % 8 * 8)),
        "r"(exchanged)
        : "memory");
    __syncthreads();
    for (int i = lane; i < 64; i += 32) by_store[i] = turned[i], by_move[i] = moved[i];
}

// 8-bit integers (16 x 8 x 32), TF32 (16 x 8 x 8) and doubles (8 x 8 x 4).
__global__ void others(const signed char* A, const signed char* B, int* C, const float* X,
                       const float* Y, float* Z, const double* P, const double* Q, double* R) {
    const int lane = threadIdx.x, group = lane / 4, t = lane % 4;
    uint32_t a[4], b[2];
    for (int r = 0; r < 4; ++r)
        a[r] = *(const uint32_t*)(A + (group + r % 2 * 8) * 32 + r / 2 * 16 + t * 4);
    for (int r = 0; r < 2; ++r)
        b[r] = *(const uint32_t*)(B + group * 32 + r * 16 + t * 4);  // by columns
    int c[4];
    asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, "
        "{%10,%10,%10,%10};"
        : "=r"(c[0]), "=r"(c[1]), "=r"(c[2]), "=r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(5));
    for (int i = 0; i < 4; ++i) C[(group + i / 2 * 8) * 8 + t * 2 + i % 2] = c[i];
    uint32_t x[4], y[2];
    for (int r = 0; r < 4; ++r) x[r] = __float_as_uint(X[(group + r % 2 * 8) * 8 + t + r / 2 * 4]);
    for (int r = 0; r < 2; ++r) y[r] = __float_as_uint(Y[(t + 4 * r) * 8 + group]);
    float z[4] = {};
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(z[0]), "+f"(z[1]), "+f"(z[2]), "+f"(z[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    for (int i = 0; i < 4; ++i) Z[(group + i / 2 * 8) * 8 + t * 2 + i % 2] = z[i];
    double r[2] = {0.5, 0.5};
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(r[0]), "+d"(r[1])
        : "d"(P[group * 4 + t]), "d"(Q[t * 8 + group]));
    for (int i = 0; i < 2; ++i) R[group * 8 + t * 2 + i] = r[i];
}

template <class T>
void check_product() {
    T *a, *b;
    float* c;
    cudaMallocManaged(&a, 512), cudaMallocManaged(&b, 256), cudaMallocManaged(&c, 512);
    for (int i = 0; i < 256; ++i) a[i] = T(float(i * 7 % 11 - 5));
    for (int i = 0; i < 128; ++i) b[i] = T(float(i * 5 % 13 - 6));
    product<T><<<1, 32>>>(a, b, c);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; ++j) {
            float sum = 1;
            for (int k = 0; k < 16; ++k) sum += float(a[i * 16 + k]) * float(b[k * 8 + j]);
            CHECK(c[i * 8 + j] == sum);
        }
    cudaFree(a), cudaFree(b), cudaFree(c);
}

int main() {
    check_product<half>();
    check_product<__nv_bfloat16>();

    uint16_t *from, *turned[3];
    cudaMallocManaged(&from, 128);
    for (auto& to : turned) cudaMallocManaged(&to, 128);
    for (int i = 0; i < 64; ++i) from[i] = 100 + i;
    transposes<<<1, 32>>>(from, turned[0], turned[1], turned[2]);
    cudaDeviceSynchronize();
    for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column)
            for (const auto* to : turned) CHECK(to[row * 8 + column] == 100 + column * 8 + row);
    cudaFree(from);
    for (auto* to : turned) cudaFree(to);

    signed char *a, *b;
    int* c;
    float *x, *y, *z;
    double *p, *q, *r;
    cudaMallocManaged(&a, 512), cudaMallocManaged(&b, 256), cudaMallocManaged(&c, 512);
    cudaMallocManaged(&x, 512), cudaMallocManaged(&y, 256), cudaMallocManaged(&z, 512);
    cudaMallocManaged(&p, 256), cudaMallocManaged(&q, 256), cudaMallocManaged(&r, 512);
    for (int i = 0; i < 512; ++i) a[i] = i * 37 % 256 - 128;
    for (int i = 0; i < 256; ++i) b[i] = i * 91 % 256 - 128;
    for (int i = 0; i < 128; ++i) x[i] = i % 17 - 8;
    for (int i = 0; i < 64; ++i) y[i] = i % 19 - 9;
    for (int i = 0; i < 32; ++i) p[i] = i * 0.25, q[i] = 3 - i;
    others<<<1, 32>>>(a, b, c, x, y, z, p, q, r);
    cudaDeviceSynchronize();
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; ++j) {
            int sum = 5;
            for (int k = 0; k < 32; ++k) sum += a[i * 32 + k] * b[j * 32 + k];
            CHECK(c[i * 8 + j] == sum);
            float total = 0;
            for (int k = 0; k < 8; ++k) total += x[i * 8 + k] * y[k * 8 + j];
            CHECK(z[i * 8 + j] == total);
            if (i >= 8) continue;
            double exact = 0.5;
            for (int k = 0; k < 4; ++k) exact += p[i * 4 + k] * q[k * 8 + j];
            CHECK(r[i * 8 + j] == exact);
        }
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(x), cudaFree(y), cudaFree(z);
    cudaFree(p), cudaFree(q), cudaFree(r);
    return failures;
}
