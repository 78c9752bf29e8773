// cuBLAS's functions for matrices and vectors of float and double. Each call is complete when it
// returns. Its accesses to memory are not recorded.
#include <vector>

#include "instrumentation/cuda/runtime/libraries/cublas_call.h"

namespace tilereel::runtime {
namespace {

template <class T>
cublasStatus_t gemm(Call call, const Product<T>& product) {
    const Blas<T>* const with = call.routines<T>();
    if (!call.is_valid(product.is_valid())) return call.run([] {});
    call.check_memory(product.a, product.extent_a(), sizeof(T))
        .check_memory(product.b, product.extent_b(), sizeof(T))
        .check_memory(product.c, product.extent_c(), sizeof(T));
    return call.run([&] { product.multiply(*with); });
}

// C = alpha op(A) + beta op(B).
template <class T>
cublasStatus_t geam(Call call, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                    const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c,
                    int ldc) {
    if (!call.is_valid(m >= 0 && n >= 0 && alpha != nullptr && beta != nullptr))
        return call.run([] {});
    const OpenMemory open;  // the factors may lie in device memory
    call.check_memory(c, matrix_extent(m, n, ldc), sizeof(T));
    if (*alpha != T(0)) call.check_memory(a, operand_extent(op_a, m, n, lda), sizeof(T));
    if (*beta != T(0)) call.check_memory(b, operand_extent(op_b, m, n, ldb), sizeof(T));
    return call.run([&] {
        const auto element = [](const T* from, cublasOperation_t op, int leading, int i, int j) {
            return op == CUBLAS_OP_N ? from[std::int64_t(j) * leading + i]
                                     : from[std::int64_t(i) * leading + j];
        };
        std::vector<T> sums;  // C may be A or B
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i)
                sums.push_back((*alpha == T(0) ? T(0) : *alpha * element(a, op_a, lda, i, j)) +
                               (*beta == T(0) ? T(0) : *beta * element(b, op_b, ldb, i, j)));
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i)
                c[std::int64_t(j) * ldc + i] = sums[std::size_t(j) * unsigned(m) + unsigned(i)];
    });
}

// CBLAS has no function for it.
template <class T>
int index_of_least(int n, const T* x, int incx) {
    if (n < 1 || incx < 1) return 0;
    int least = 0;
    for (int i = 1; i < n; ++i)
        if (std::abs(x[std::int64_t(i) * incx]) < std::abs(x[std::int64_t(least) * incx]))
            least = i;
    return least + 1;
}

}  // namespace
}  // namespace tilereel::runtime

using namespace tilereel::runtime;

extern "C" {

#define BLAS_OF(X, T)                                                                              \
    cublasStatus_t cublas##X##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,       \
                                   int incx, T* y, int incy) {                                     \
        Call call("cublas" #X "axpy", handle);                                                     \
        const Blas<T>* const with = call.routines<T>();                                            \
        call.check_memory(x, vector_extent(n, incx), sizeof(T))                                    \
            .check_memory(y, vector_extent(n, incy), sizeof(T));                                   \
        return call.run([&] { with->axpy(n, *alpha, x, incx, y, incy); });                         \
    }                                                                                              \
    cublasStatus_t cublas##X##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) { \
        Call call("cublas" #X "scal", handle);                                                     \
        const Blas<T>* const with = call.routines<T>();                                            \
        call.check_memory(x, vector_extent(n, incx), sizeof(T));                                   \
        return call.run([&] { with->scal(n, *alpha, x, incx); });                                  \
    }                                                                                              \
    cublasStatus_t cublas##X##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y,       \
                                   int incy) {                                                     \
        Call call("cublas" #X "copy", handle);                                                     \
        const Blas<T>* const with = call.routines<T>();                                            \
        call.check_memory(x, vector_extent(n, incx), sizeof(T))                                    \
            .check_memory(y, vector_extent(n, incy), sizeof(T));                                   \
        return call.run([&] { with->copy(n, x, incx, y, incy); });                                 \
    }                                                                                              \
    cublasStatus_t cublas##X##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) { \
        Call call("cublas" #X "swap", handle);                                                     \
        const Blas<T>* const with = call.routines<T>();                                            \
        call.check_memory(x, vector_extent(n, incx), sizeof(T))                                    \
            .check_memory(y, vector_extent(n, incy), sizeof(T));                                   \
        return call.run([&] { with->swap(n, x, incx, y, incy); });                                 \
    }                                                                                              \
    cublasStatus_t cublas##X##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y,  \
                                  int incy, T* result) {                                           \
        Call call("cublas" #X "dot", handle);                                                      \
        const Blas<T>* const with = call.routines<T>();                                            \
        call.check_memory(x, vector_extent(n, incx), sizeof(T))                                    \
            .check_memory(y, vector_extent(n, incy), sizeof(T));                                   \
        return call.run([&] { *result = with->dot(n, x, incx, y, incy); });                        \
    }                                                                                              \
    cublasStatus_t cublas##X##nrm2(cublasHandle_t handle, int n, const T* x, int incx,             \
                                   T* result) {                                                    \
        Call call("cublas" #X "nrm2", handle);                                                     \
        const Blas<T>* const with = call.routines<T>();                                            \
        call.check_memory(x, vector_extent(n, incx), sizeof(T));                                   \
        return call.run([&] { *result = with->nrm2(n, x, incx); });                                \
    }                                                                                              \
    cublasStatus_t cublas##X##asum(cublasHandle_t handle, int n, const T* x, int incx,             \
                                   T* result) {                                                    \
        Call call("cublas" #X "asum", handle);                                                     \
        const Blas<T>* const with = call.routines<T>();                                            \
        call.check_memory(x, vector_extent(n, incx), sizeof(T));                                   \
        return call.run([&] { *result = with->asum(n, x, incx); });                                \
    }                                                                                              \
    cublasStatus_t cublas##X##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,      \
                                   const T* alpha, const T* a, int lda, const T* x, int incx,      \
                                   const T* beta, T* y, int incy) {                                \
        Call call("cublas" #X "gemv", handle);                                                     \
        const Blas<T>* const with = call.routines<T>();                                            \
        const bool plain = op == CUBLAS_OP_N;                                                      \
        call.check_memory(a, matrix_extent(m, n, lda), sizeof(T))                                  \
            .check_memory(x, vector_extent(plain ? n : m, incx), sizeof(T))                        \
            .check_memory(y, vector_extent(plain ? m : n, incy), sizeof(T));                       \
        return call.run([&] {                                                                      \
            with->gemv(kColumnMajor, cblas_code(op), m, n, *alpha, a, lda, x, incx, *beta, y,      \
                       incy);                                                                      \
        });                                                                                        \
    }                                                                                              \
    cublasStatus_t cublas##X##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, \
                                  int incx, const T* y, int incy, T* a, int lda) {                 \
        Call call("cublas" #X "ger", handle);                                                      \
        const Blas<T>* const with = call.routines<T>();                                            \
        call.check_memory(a, matrix_extent(m, n, lda), sizeof(T))                                  \
            .check_memory(x, vector_extent(m, incx), sizeof(T))                                    \
            .check_memory(y, vector_extent(n, incy), sizeof(T));                                   \
        return call.run([&] { with->ger(kColumnMajor, m, n, *alpha, x, incx, y, incy, a, lda); }); \
    }                                                                                              \
    cublasStatus_t cublas##X##gemm(cublasHandle_t handle, cublasOperation_t op_a,                  \
                                   cublasOperation_t op_b, int m, int n, int k, const T* alpha,    \
                                   const T* a, int lda, const T* b, int ldb, const T* beta, T* c,  \
                                   int ldc) {                                                      \
        return gemm<T>({"cublas" #X "gemm", handle},                                               \
                       {op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc});                \
    }                                                                                              \
    cublasStatus_t cublas##X##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,       \
        int k, const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb,       \
        long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int count) {         \
        cublasStatus_t status = CUBLAS_STATUS_SUCCESS;                                             \
        for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i)                         \
            status = gemm<T>({"cublas" #X "gemmStridedBatched", handle},                           \
                             {op_a, op_b, m, n, k, alpha, a + i * stride_a, lda, b + i * stride_b, \
                              ldb, beta, c + i * stride_c, ldc});                                  \
        return status;                                                                             \
    }                                                                                              \
    cublasStatus_t cublas##X##gemmBatched(                                                         \
        cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,       \
        int k, const T* alpha, const T* const a[], int lda, const T* const b[], int ldb,           \
        const T* beta, T* const c[], int ldc, int count) {                                         \
        const OpenMemory open; /* the lists of pointers lie in device memory */                    \
        cublasStatus_t status = CUBLAS_STATUS_SUCCESS;                                             \
        for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i)                         \
            status = gemm<T>({"cublas" #X "gemmBatched", handle},                                  \
                             {op_a, op_b, m, n, k, alpha, a[i], lda, b[i], ldb, beta, c[i], ldc}); \
        return status;                                                                             \
    }                                                                                              \
    cublasStatus_t cublas##X##geam(                                                                \
        cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,       \
        const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {  \
        return geam<T>({"cublas" #X "geam", handle}, op_a, op_b, m, n, alpha, a, lda, beta, b,     \
                       ldb, c, ldc);                                                               \
    }
BLAS_OF(S, float)
BLAS_OF(D, double)
#undef BLAS_OF

// The returned index of the largest element counts from 1.
#define BLAS_MAXIMUM(name, T)                                                                \
    cublasStatus_t name(cublasHandle_t handle, int n, const T* x, int incx, int* result) {   \
        Call call(#name, handle);                                                            \
        const Blas<T>* const with = call.routines<T>();                                      \
        call.check_memory(x, vector_extent(n, incx), sizeof(T));                             \
        return call.run([&] {                                                                \
            *result = n < 1 || incx < 1 ? 0 : static_cast<int>(with->iamax(n, x, incx)) + 1; \
        });                                                                                  \
    }
BLAS_MAXIMUM(cublasIsamax, float)
BLAS_MAXIMUM(cublasIdamax, double)
#undef BLAS_MAXIMUM
#define BLAS_MINIMUM(name, T)                                                              \
    cublasStatus_t name(cublasHandle_t handle, int n, const T* x, int incx, int* result) { \
        Call call(#name, handle);                                                          \
        call.check_memory(x, vector_extent(n, incx), sizeof(T));                           \
        return call.run([&] { *result = index_of_least(n, x, incx); });                    \
    }
BLAS_MINIMUM(cublasIsamin, float)
BLAS_MINIMUM(cublasIdamin, double)
#undef BLAS_MINIMUM
}
