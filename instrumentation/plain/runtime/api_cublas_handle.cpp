// cuBLAS's handles and their settings, copies of vectors and matrices, and products of other types.
#include <vector>

#include "instrumentation/plain/include/tilereel/small_float.h"
#include "instrumentation/plain/runtime/cublas_call.h"

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
};

namespace tilereel::plain {
namespace {

std::size_t bytes_of(cudaDataType type) {
    return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2;
}
bool is_supported(cudaDataType type) {
    return type == CUDA_R_64F || type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF;
}
template <class T>
std::vector<T> widened(const void* from, cudaDataType type, std::uint64_t count) {
    std::vector<T> result(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        if (type == CUDA_R_64F) {
            result[i] = static_cast<T>(static_cast<const double*>(from)[i]);
        } else if (type == CUDA_R_32F) {
            result[i] = static_cast<const float*>(from)[i];
        } else {
            const auto bits = static_cast<const unsigned short*>(from)[i];
            result[i] = type == CUDA_R_16F ? half_to_float(bits) : bfloat_to_float(bits);
        }
    }
    return result;
}
template <class T>
void narrow(const std::vector<T>& from, void* to, cudaDataType type) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto value = static_cast<float>(from[i]);
        if (type == CUDA_R_64F)
            static_cast<double*>(to)[i] = from[i];
        else if (type == CUDA_R_32F)
            static_cast<float*>(to)[i] = value;
        else
            static_cast<unsigned short*>(to)[i] =
                type == CUDA_R_16F ? float_to_half(value) : float_to_bfloat(value);
    }
}

struct Operand {
    const void* data;
    cudaDataType type;
};
// Computes with copies of the operands, converted to T, the type of the sums.
template <class T>
cublasStatus_t gemm_of(Call call, Product<T> product, Operand a, Operand b, Operand c) {
    const Blas<T>* const with = call.routines<T>();
    if (!call.is_valid(product.is_valid())) return call.run([] {});
    call.check_memory(a.data, product.extent_a(), bytes_of(a.type))
        .check_memory(b.data, product.extent_b(), bytes_of(b.type))
        .check_memory(c.data, product.extent_c(), bytes_of(c.type));
    return call.run([&] {
        const std::vector<T> wide_a = widened<T>(a.data, a.type, product.extent_a());
        const std::vector<T> wide_b = widened<T>(b.data, b.type, product.extent_b());
        std::vector<T> wide_c = widened<T>(c.data, c.type, product.extent_c());
        product.a = wide_a.data();
        product.b = wide_b.data();
        product.c = wide_c.data();
        product.multiply(*with);
        narrow(wide_c, const_cast<void*>(c.data), c.type);
    });
}

cublasStatus_t status_of(cudaError_t error) {
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace
}  // namespace tilereel::plain

using namespace tilereel::plain;

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

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                            int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
    if (!is_supported(type_a) || !is_supported(type_b) || !is_supported(type_c) ||
        alpha == nullptr || beta == nullptr)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    Call call("cublasGemmEx", handle);
    const Operand of_a{a, type_a}, of_b{b, type_b}, of_c{c, type_c};
    if (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC)
        return gemm_of<double>(call,
                               {op_a, op_b, m, n, k, static_cast<const double*>(alpha), nullptr,
                                lda, nullptr, ldb, static_cast<const double*>(beta), nullptr, ldc},
                               of_a, of_b, of_c);
    const bool half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    const auto scalar = [&](const void* from) {
        return half ? half_to_float(*static_cast<const unsigned short*>(from))
                    : *static_cast<const float*>(from);
    };
    const float alpha_value = scalar(alpha), beta_value = scalar(beta);
    return gemm_of<float>(
        call,
        {op_a, op_b, m, n, k, &alpha_value, nullptr, lda, nullptr, ldb, &beta_value, nullptr, ldc},
        of_a, of_b, of_c);
}
}
