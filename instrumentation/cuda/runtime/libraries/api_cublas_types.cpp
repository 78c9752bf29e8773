// cuBLAS's products and sums of elements of other types than float and double.
#include <vector>

#include "instrumentation/cuda/include/tilereel/small_float.h"
#include "instrumentation/cuda/runtime/libraries/cublas_call.h"
#include "instrumentation/cuda/runtime/libraries/cublas_elements.h"

namespace tilereel::runtime {
namespace {

struct Operand {
    const void* data;
    cudaDataType type;
    [[nodiscard]] Operand at(std::int64_t element) const {
        return {static_cast<const char*>(data) + element * std::int64_t(element_bytes(type)), type};
    }
};
// Computes with copies of the operands, converted to T, the type of the sums.
template <class T>
cublasStatus_t gemm_of(Call call, Product<T> product, Operand a, Operand b, Operand c) {
    const Blas<T>* const with = call.routines<T>();
    if (!call.is_valid(product.is_valid())) return call.run([] {});
    call.check_memory(a.data, product.extent_a(), element_bytes(a.type))
        .check_memory(b.data, product.extent_b(), element_bytes(b.type))
        .check_memory(c.data, product.extent_c(), element_bytes(c.type));
    return call.run([&] {
        const std::vector<T> wide_a = widened<T>(a.data, a.type, product.extent_a());
        const std::vector<T> wide_b = widened<T>(b.data, b.type, product.extent_b());
        std::vector<T> wide_c = widened<T>(c.data, c.type, product.extent_c());
        product.a = wide_a.data();
        product.b = wide_b.data();
        product.c = wide_c.data();
        product.multiply(*with);
        narrow(wide_c.data(), const_cast<void*>(c.data), c.type, wide_c.size());
    });
}

struct Shape {
    cublasOperation_t op_a, op_b;
    int m, n, k, lda, ldb, ldc;
};
// The factors have the type of the sums.
cublasStatus_t gemm_ex(const char* name, cublasHandle_t handle, const Shape& shape,
                       const void* alpha, Operand a, Operand b, const void* beta, Operand c,
                       cublasComputeType_t compute) {
    if (!is_supported(a.type) || !is_supported(b.type) || !is_supported(c.type) ||
        alpha == nullptr || beta == nullptr)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    Call call(name, handle);
    const auto product = [&]<class T>(T alpha_value, T beta_value) {
        return gemm_of<T>(call,
                          {shape.op_a, shape.op_b, shape.m, shape.n, shape.k, &alpha_value, nullptr,
                           shape.lda, nullptr, shape.ldb, &beta_value, nullptr, shape.ldc},
                          a, b, c);
    };
    const OpenMemory open;  // the factors may lie in device memory
    switch (compute) {
        case CUBLAS_COMPUTE_64F:
        case CUBLAS_COMPUTE_64F_PEDANTIC:
            return product(*static_cast<const double*>(alpha), *static_cast<const double*>(beta));
        case CUBLAS_COMPUTE_32I:
        case CUBLAS_COMPUTE_32I_PEDANTIC:  // exact in double
            return product(double(*static_cast<const int*>(alpha)),
                           double(*static_cast<const int*>(beta)));
        case CUBLAS_COMPUTE_16F:
        case CUBLAS_COMPUTE_16F_PEDANTIC:
            return product(half_to_float(*static_cast<const unsigned short*>(alpha)),
                           half_to_float(*static_cast<const unsigned short*>(beta)));
        default:
            return product(*static_cast<const float*>(alpha), *static_cast<const float*>(beta));
    }
}

}  // namespace
}  // namespace tilereel::runtime

using namespace tilereel::runtime;

extern "C" {

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                            int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
    return gemm_ex("cublasGemmEx", handle, {op_a, op_b, m, n, k, lda, ldb, ldc}, alpha, {a, type_a},
                   {b, type_b}, beta, {c, type_c}, compute);
}
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                             int m, int n, int k, const float* alpha, const void* a,
                             cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                             int ldb, const float* beta, void* c, cudaDataType type_c, int ldc) {
    return gemm_ex("cublasSgemmEx", handle, {op_a, op_b, m, n, k, lda, ldb, ldc}, alpha,
                   {a, type_a}, {b, type_b}, beta, {c, type_c}, CUBLAS_COMPUTE_32F);
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void* alpha, const void* a, cudaDataType type_a,
                                          int lda, long long stride_a, const void* b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i)
        status =
            gemm_ex("cublasGemmStridedBatchedEx", handle, {op_a, op_b, m, n, k, lda, ldb, ldc},
                    alpha, Operand{a, type_a}.at(i * stride_a), Operand{b, type_b}.at(i * stride_b),
                    beta, Operand{c, type_c}.at(i * stride_c), compute);
    return status;
}
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                   cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                   const void* const a[], cudaDataType type_a, int lda,
                                   const void* const b[], cudaDataType type_b, int ldb,
                                   const void* beta, void* const c[], cudaDataType type_c, int ldc,
                                   int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
    const OpenMemory open;  // the lists of pointers lie in device memory
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i)
        status = gemm_ex("cublasGemmBatchedEx", handle, {op_a, op_b, m, n, k, lda, ldb, ldc}, alpha,
                         {a[i], type_a}, {b[i], type_b}, beta, {c[i], type_c}, compute);
    return status;
}
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType type_x,
                           int incx, const void* y, cudaDataType type_y, int incy, void* result,
                           cudaDataType type_of_result, cudaDataType) {
    if (!is_supported(type_x) || !is_supported(type_y) || !is_supported(type_of_result))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    Call call("cublasDotEx", handle);
    const std::uint64_t extent_x = vector_extent(n, incx), extent_y = vector_extent(n, incy);
    call.check_memory(x, extent_x, element_bytes(type_x))
        .check_memory(y, extent_y, element_bytes(type_y));
    return call.run([&] {
        const std::vector<double> wide_x = widened<double>(x, type_x, extent_x);
        const std::vector<double> wide_y = widened<double>(y, type_y, extent_y);
        // With a negative increment, a vector begins at its end.
        const std::int64_t first_x = incx < 0 ? std::int64_t(1 - n) * incx : 0;
        const std::int64_t first_y = incy < 0 ? std::int64_t(1 - n) * incy : 0;
        double sum = 0;
        for (std::int64_t i = 0; i < n; ++i)
            sum +=
                wide_x[std::size_t(first_x + i * incx)] * wide_y[std::size_t(first_y + i * incy)];
        narrow(&sum, result, type_of_result, 1);
    });
}
}
