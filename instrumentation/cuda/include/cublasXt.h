#pragma once
// The cuBLASXt API: products of matrices that lie in the host's or the device's memory.
// cuBLAS Library, "Using the cuBLASXt API". OpenBLAS computes them.
#include "cublas_v2.h"

typedef struct cublasXtContext* cublasXtHandle_t;
typedef enum {
    CUBLASXT_PINNING_DISABLED = 0,
    CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;
#ifdef __cplusplus
extern "C" {
#endif
TILEREEL_BLAS cublasXtCreate(cublasXtHandle_t* handle);
TILEREEL_BLAS cublasXtDestroy(cublasXtHandle_t handle);
TILEREEL_BLAS cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]);
TILEREEL_BLAS cublasXtMaxBoards(int* count);
TILEREEL_BLAS cublasXtGetNumBoards(int count, int devices[], int* boards);
TILEREEL_BLAS cublasXtSetBlockDim(cublasXtHandle_t handle, int extent);
TILEREEL_BLAS cublasXtGetBlockDim(cublasXtHandle_t handle, int* extent);
TILEREEL_BLAS cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
TILEREEL_BLAS cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode);
#define TILEREEL_BLAS_XT(X, T)                                                            \
    TILEREEL_BLAS cublasXt##X##gemm(cublasXtHandle_t handle, cublasOperation_t op_a,      \
                                    cublasOperation_t op_b, size_t m, size_t n, size_t k, \
                                    const T* alpha, const T* a, size_t lda, const T* b,   \
                                    size_t ldb, const T* beta, T* c, size_t ldc);
TILEREEL_BLAS_XT(S, float)
TILEREEL_BLAS_XT(D, double)
#undef TILEREEL_BLAS_XT
#ifdef __cplusplus
}
#endif
