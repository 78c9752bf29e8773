// cuBLAS's handles and their settings, copies of vectors and matrices.
#include "instrumentation/cuda/runtime/libraries/cublas_call.h"

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
};

namespace tilereel::runtime {
namespace {

cublasStatus_t status_of(cudaError_t error) {
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace
}  // namespace tilereel::runtime

using namespace tilereel::runtime;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
    *handle = new cublasContext;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
    if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *value = type == MAJOR_VERSION   ? CUBLAS_VER_MAJOR
             : type == MINOR_VERSION ? CUBLAS_VER_MINOR
                                     : CUBLAS_VER_PATCH;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}
// The functions that set and return a setting.
#define SETTING(Name, Type, member)                                      \
    cublasStatus_t cublasSet##Name(cublasHandle_t handle, Type value) {  \
        if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;     \
        handle->member = value;                                          \
        return CUBLAS_STATUS_SUCCESS;                                    \
    }                                                                    \
    cublasStatus_t cublasGet##Name(cublasHandle_t handle, Type* value) { \
        if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;     \
        *value = handle->member;                                         \
        return CUBLAS_STATUS_SUCCESS;                                    \
    }
SETTING(Stream, cudaStream_t, stream)
SETTING(MathMode, cublasMath_t, math)
SETTING(PointerMode, cublasPointerMode_t, pointers)
#undef SETTING
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) {
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void*, size_t) { return CUBLAS_STATUS_SUCCESS; }
const char* cublasGetStatusName(cublasStatus_t status) {
    switch (status) {
#define STATUS(name) \
    case name:       \
        return #name;
        STATUS(CUBLAS_STATUS_SUCCESS)
        STATUS(CUBLAS_STATUS_NOT_INITIALIZED)
        STATUS(CUBLAS_STATUS_ALLOC_FAILED)
        STATUS(CUBLAS_STATUS_INVALID_VALUE)
        STATUS(CUBLAS_STATUS_ARCH_MISMATCH)
        STATUS(CUBLAS_STATUS_MAPPING_ERROR)
        STATUS(CUBLAS_STATUS_EXECUTION_FAILED)
        STATUS(CUBLAS_STATUS_INTERNAL_ERROR)
        STATUS(CUBLAS_STATUS_NOT_SUPPORTED)
        STATUS(CUBLAS_STATUS_LICENSE_ERROR)
#undef STATUS
    }
    return "unknown";
}
const char* cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
    const auto width = static_cast<size_t>(bytes);
    return status_of(cudaMemcpy2D(y, width * unsigned(incy), x, width * unsigned(incx), width,
                                  static_cast<size_t>(n), cudaMemcpyHostToDevice));
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
    const auto width = static_cast<size_t>(bytes);
    return status_of(cudaMemcpy2D(y, width * unsigned(incy), x, width * unsigned(incx), width,
                                  static_cast<size_t>(n), cudaMemcpyDeviceToHost));
}
cublasStatus_t cublasSetMatrix(int rows, int cols, int bytes, const void* a, int lda, void* b,
                               int ldb) {
    const auto width = static_cast<size_t>(bytes);
    return status_of(cudaMemcpy2D(b, width * unsigned(ldb), a, width * unsigned(lda),
                                  width * unsigned(rows), static_cast<size_t>(cols),
                                  cudaMemcpyHostToDevice));
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int bytes, const void* a, int lda, void* b,
                               int ldb) {
    const auto width = static_cast<size_t>(bytes);
    return status_of(cudaMemcpy2D(b, width * unsigned(ldb), a, width * unsigned(lda),
                                  width * unsigned(rows), static_cast<size_t>(cols),
                                  cudaMemcpyDeviceToHost));
}
// All work is done when a call returns, so the asynchronous copies are the same.
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t) {
    return cublasSetVector(n, bytes, x, incx, y, incy);
}
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t) {
    return cublasGetVector(n, bytes, x, incx, y, incy);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int bytes, const void* a, int lda, void* b,
                                    int ldb, cudaStream_t) {
    return cublasSetMatrix(rows, cols, bytes, a, lda, b, ldb);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int bytes, const void* a, int lda, void* b,
                                    int ldb, cudaStream_t) {
    return cublasGetMatrix(rows, cols, bytes, a, lda, b, ldb);
}
}
