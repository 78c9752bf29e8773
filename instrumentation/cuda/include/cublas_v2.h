#pragma once
// The cuBLAS API, implemented with OpenBLAS: matrices are column-major, in the device's memory.
// cuBLAS Library, "Using the cuBLAS API". Its accesses to memory are not recorded.
#define CUBLAS_V2_H_
#define CUBLAS_API_H_
#include "cuComplex.h"
#if defined(__cplusplus) && !defined(TILEREEL_WITHOUT_SMALL_FLOATS)
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUBLASAPI
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 4
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION 120400
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16,
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;
typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2,
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16,
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
} cublasComputeType_t;
typedef struct cublasContext* cublasHandle_t;
typedef cudaDataType cublasDataType_t;

#define TILEREEL_BLAS cublasStatus_t
#ifdef __cplusplus
extern "C" {
#endif
TILEREEL_BLAS cublasCreate(cublasHandle_t* handle);
TILEREEL_BLAS cublasDestroy(cublasHandle_t handle);
TILEREEL_BLAS cublasGetProperty(libraryPropertyType type, int* value);
TILEREEL_BLAS cublasGetVersion(cublasHandle_t handle, int* version);
TILEREEL_BLAS cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
TILEREEL_BLAS cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
TILEREEL_BLAS cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
TILEREEL_BLAS cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
TILEREEL_BLAS cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
TILEREEL_BLAS cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
TILEREEL_BLAS cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
TILEREEL_BLAS cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
TILEREEL_BLAS cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
TILEREEL_BLAS cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
TILEREEL_BLAS cublasSetMatrix(int rows, int cols, int bytes, const void* a, int lda, void* b,
                              int ldb);
TILEREEL_BLAS cublasGetMatrix(int rows, int cols, int bytes, const void* a, int lda, void* b,
                              int ldb);
TILEREEL_BLAS cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                   cudaStream_t stream);
TILEREEL_BLAS cublasGetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                   cudaStream_t stream);
TILEREEL_BLAS cublasSetMatrixAsync(int rows, int cols, int bytes, const void* a, int lda, void* b,
                                   int ldb, cudaStream_t stream);
TILEREEL_BLAS cublasGetMatrixAsync(int rows, int cols, int bytes, const void* a, int lda, void* b,
                                   int ldb, cudaStream_t stream);
// Functions that exist for float (S) and for double (D).
#define TILEREEL_BLAS_OF(X, T)                                                                    \
    TILEREEL_BLAS cublas##X##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,       \
                                  int incx, T* y, int incy);                                      \
    TILEREEL_BLAS cublas##X##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx);  \
    TILEREEL_BLAS cublas##X##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y,       \
                                  int incy);                                                      \
    TILEREEL_BLAS cublas##X##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy);  \
    TILEREEL_BLAS cublas##X##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y,  \
                                 int incy, T* result);                                            \
    TILEREEL_BLAS cublas##X##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result); \
    TILEREEL_BLAS cublas##X##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result); \
    TILEREEL_BLAS cublas##X##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,      \
                                  const T* alpha, const T* a, int lda, const T* x, int incx,      \
                                  const T* beta, T* y, int incy);                                 \
    TILEREEL_BLAS cublas##X##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, \
                                 int incx, const T* y, int incy, T* a, int lda);                  \
    TILEREEL_BLAS cublas##X##gemm(cublasHandle_t handle, cublasOperation_t op_a,                  \
                                  cublasOperation_t op_b, int m, int n, int k, const T* alpha,    \
                                  const T* a, int lda, const T* b, int ldb, const T* beta, T* c,  \
                                  int ldc);                                                       \
    TILEREEL_BLAS cublas##X##gemmStridedBatched(                                                  \
        cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,      \
        int k, const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb,      \
        long long stride_b, const T* beta, T* c, int ldc, long long stride_c, int count);         \
    TILEREEL_BLAS cublas##X##gemmBatched(                                                         \
        cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,      \
        int k, const T* alpha, const T* const a[], int lda, const T* const b[], int ldb,          \
        const T* beta, T* const c[], int ldc, int count);                                         \
    TILEREEL_BLAS cublas##X##geam(                                                                \
        cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,      \
        const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc);
TILEREEL_BLAS_OF(S, float)
TILEREEL_BLAS_OF(D, double)
#undef TILEREEL_BLAS_OF
TILEREEL_BLAS cublasIsamax(cublasHandle_t handle, int n, const float* x, int incx, int* result);
TILEREEL_BLAS cublasIdamax(cublasHandle_t handle, int n, const double* x, int incx, int* result);
TILEREEL_BLAS cublasIsamin(cublasHandle_t handle, int n, const float* x, int incx, int* result);
TILEREEL_BLAS cublasIdamin(cublasHandle_t handle, int n, const double* x, int incx, int* result);
TILEREEL_BLAS cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType type_x,
                          int incx, const void* y, cudaDataType type_y, int incy, void* result,
                          cudaDataType type_of_result, cudaDataType compute);
// Products of elements of 8, 16, 32 and 64 bits. They accumulate in double for CUBLAS_COMPUTE_64F
// and CUBLAS_COMPUTE_32I, otherwise in float.
TILEREEL_BLAS cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, int k, const void* alpha, const void* a,
                           cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                           int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                           cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
TILEREEL_BLAS cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k,
                                         const void* alpha, const void* a, cudaDataType type_a,
                                         int lda, long long stride_a, const void* b,
                                         cudaDataType type_b, int ldb, long long stride_b,
                                         const void* beta, void* c, cudaDataType type_c, int ldc,
                                         long long stride_c, int count, cublasComputeType_t compute,
                                         cublasGemmAlgo_t algorithm);
TILEREEL_BLAS cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                  cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                  const void* const a[], cudaDataType type_a, int lda,
                                  const void* const b[], cudaDataType type_b, int ldb,
                                  const void* beta, void* const c[], cudaDataType type_c, int ldc,
                                  int count, cublasComputeType_t compute,
                                  cublasGemmAlgo_t algorithm);
TILEREEL_BLAS cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const float* alpha, const void* a,
                            cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                            int ldb, const float* beta, void* c, cudaDataType type_c, int ldc);
#ifdef __cplusplus
}
// Before CUDA 11 the compute type was a cudaDataType, like the type of the elements.
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a,
                                   cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                   const void* a, cudaDataType type_a, int lda, const void* b,
                                   cudaDataType type_b, int ldb, const void* beta, void* c,
                                   cudaDataType type_c, int ldc, cudaDataType compute,
                                   cublasGemmAlgo_t algorithm) {
    return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c,
                        type_c, ldc,
                        compute == CUDA_R_64F   ? CUBLAS_COMPUTE_64F
                        : compute == CUDA_R_16F ? CUBLAS_COMPUTE_16F
                                                : CUBLAS_COMPUTE_32F,
                        algorithm);
}
// `Half` is __half. A template, so that it can be declared without cuda_fp16.h.
template <class Half>
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, int k, const Half* alpha, const Half* a, int lda,
                           const Half* b, int ldb, const Half* beta, Half* c, int ldc) {
    static_assert(sizeof(Half) == 2, "");
    return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F, ldb,
                        beta, c, CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
template <class Half>
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k,
                                         const Half* alpha, const Half* a, int lda,
                                         long long stride_a, const Half* b, int ldb,
                                         long long stride_b, const Half* beta, Half* c, int ldc,
                                         long long stride_c, int count) {
    static_assert(sizeof(Half) == 2, "");
    return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, CUDA_R_16F, lda,
                                      stride_a, b, CUDA_R_16F, ldb, stride_b, beta, c, CUDA_R_16F,
                                      ldc, stride_c, count, CUBLAS_COMPUTE_16F,
                                      CUBLAS_GEMM_DEFAULT);
}
template <class Half>
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                  cublasOperation_t op_b, int m, int n, int k, const Half* alpha,
                                  const Half* const a[], int lda, const Half* const b[], int ldb,
                                  const Half* beta, Half* const c[], int ldc, int count) {
    static_assert(sizeof(Half) == 2, "");
    return cublasGemmBatchedEx(handle, op_a, op_b, m, n, k, alpha, (const void* const*)a,
                               CUDA_R_16F, lda, (const void* const*)b, CUDA_R_16F, ldb, beta,
                               (void* const*)c, CUDA_R_16F, ldc, count, CUBLAS_COMPUTE_16F,
                               CUBLAS_GEMM_DEFAULT);
}
#endif
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
