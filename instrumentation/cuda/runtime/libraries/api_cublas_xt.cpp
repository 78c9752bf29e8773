// cuBLASXt: products of matrices that lie in the host's or the device's memory.
#include <limits>

#include "instrumentation/cuda/runtime/libraries/cublas_call.h"

struct cublasXtContext {
    int block = 2048;
    cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
};

namespace tilereel::runtime {
namespace {

template <class T>
cublasStatus_t xt_gemm(const char* name, cublasXtHandle_t handle, cublasOperation_t op_a,
                       cublasOperation_t op_b, size_t m, size_t n, size_t k, const T* alpha,
                       const T* a, size_t lda, const T* b, size_t ldb, const T* beta, T* c,
                       size_t ldc) {
    Call call(name, handle);
    constexpr size_t kMost = std::numeric_limits<int>::max();
    if (std::max({m, n, k, lda, ldb, ldc}) > kMost) return CUBLAS_STATUS_NOT_SUPPORTED;
    const Blas<T>* const with = call.routines<T>();
    const Product<T> product{op_a,     op_b, int(m),   int(n), int(k), alpha,   a,
                             int(lda), b,    int(ldb), beta,   c,      int(ldc)};
    if (!call.is_valid(product.is_valid() && a != nullptr && b != nullptr && c != nullptr))
        return call.run([] {});
    return call.run([&] { product.multiply(*with); });
}

}  // namespace
}  // namespace tilereel::runtime

using namespace tilereel::runtime;

extern "C" {

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
    if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *handle = new cublasXtContext;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (count < 1 || devices == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    for (int i = 0; i < count; ++i)
        if (devices[i] != 0) return CUBLAS_STATUS_INVALID_VALUE;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtMaxBoards(int* count) {
    *count = 1;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtGetNumBoards(int, int[], int* boards) {
    *boards = 1;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int extent) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (extent < 1) return CUBLAS_STATUS_INVALID_VALUE;
    handle->block = extent;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* extent) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    *extent = handle->block;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->pinning = mode;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    *mode = handle->pinning;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSgemm(cublasXtHandle_t handle, cublasOperation_t op_a,
                             cublasOperation_t op_b, size_t m, size_t n, size_t k,
                             const float* alpha, const float* a, size_t lda, const float* b,
                             size_t ldb, const float* beta, float* c, size_t ldc) {
    return xt_gemm("cublasXtSgemm", handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c,
                   ldc);
}
cublasStatus_t cublasXtDgemm(cublasXtHandle_t handle, cublasOperation_t op_a,
                             cublasOperation_t op_b, size_t m, size_t n, size_t k,
                             const double* alpha, const double* a, size_t lda, const double* b,
                             size_t ldb, const double* beta, double* c, size_t ldc) {
    return xt_gemm("cublasXtDgemm", handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c,
                   ldc);
}
}
