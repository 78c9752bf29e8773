// cuBLASLt's handles and algorithms: there is one algorithm.
#include <cstring>

#include "instrumentation/cuda/runtime/libraries/cublas_lt.h"

using namespace tilereel::runtime;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
    // A cublasHandle_t may stand for a cublasLtHandle_t.
    return cublasCreate(reinterpret_cast<cublasHandle_t*>(handle));
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    return cublasDestroy(reinterpret_cast<cublasHandle_t>(handle));
}
const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion() { return CUDART_VERSION; }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
    return cublasGetProperty(type, value);
}
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t* capacity) {
    *capacity = 0;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetFile(FILE*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerOpenFile(const char*) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetLevel(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerSetMask(int) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtLoggerForceDisable() { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t layout_a,
                                       cublasLtMatrixLayout_t layout_b,
                                       cublasLtMatrixLayout_t layout_c,
                                       cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t*,
                                       cublasLtMatmulHeuristicResult_t* result) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (desc == nullptr || layout_a == nullptr || layout_b == nullptr || layout_c == nullptr ||
        layout_d == nullptr || result == nullptr)
        return CUBLAS_STATUS_INVALID_VALUE;
    const LtMatmul& what = object_of(desc);
    const LtLayout &a = object_of(layout_a), &b = object_of(layout_b), &c = object_of(layout_c),
                   &d = object_of(layout_d);
    const char* reason = nullptr;
    *result = {};
    result->state = CUBLAS_STATUS_SUCCESS;
    if (!is_computed(what, a, b, c, d, reason))
        result->state = CUBLAS_STATUS_NOT_SUPPORTED;
    else if (const auto refusal = refusal_of(what, a, b, c, d))
        result->state = refusal->status;
    result->wavesCount = 1;
    return result->state;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t layout_a,
    cublasLtMatrixLayout_t layout_b, cublasLtMatrixLayout_t layout_c,
    cublasLtMatrixLayout_t layout_d, cublasLtMatmulPreference_t, int requested,
    cublasLtMatmulHeuristicResult_t results[], int* count) {
    if (count == nullptr || requested < 1) return CUBLAS_STATUS_INVALID_VALUE;
    *count = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoCheck(handle, desc, layout_a, layout_b,
                                                          layout_c, layout_d, nullptr, results);
    if (status == CUBLAS_STATUS_SUCCESS) *count = 1;
    return status;
}
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t, cublasComputeType_t, cudaDataType_t,
                                        cudaDataType_t, cudaDataType_t, cudaDataType_t,
                                        cudaDataType_t, int requested, int ids[], int* count) {
    if (requested < 1 || ids == nullptr || count == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    ids[0] = 0;
    *count = 1;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t, cublasComputeType_t, cudaDataType_t,
                                      cudaDataType_t, cudaDataType_t, cudaDataType_t,
                                      cudaDataType_t, int, cublasLtMatmulAlgo_t* algo) {
    if (algo == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *algo = {};
    return CUBLAS_STATUS_SUCCESS;
}
// Each capability and each setting of the one algorithm is 0.
static cublasStatus_t zero_attribute(void* value, size_t bytes, size_t* written) {
    if (written != nullptr) *written = std::min(bytes, sizeof(int));
    if (value != nullptr) std::memset(value, 0, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t*,
                                                 cublasLtMatmulAlgoCapAttributes_t, void* value,
                                                 size_t bytes, size_t* written) {
    return zero_attribute(value, bytes, written);
}
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t*,
                                                    cublasLtMatmulAlgoConfigAttributes_t,
                                                    const void*, size_t) {
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t*,
                                                    cublasLtMatmulAlgoConfigAttributes_t,
                                                    void* value, size_t bytes, size_t* written) {
    return zero_attribute(value, bytes, written);
}
}
