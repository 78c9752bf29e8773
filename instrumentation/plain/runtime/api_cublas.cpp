// cuBLAS. Its calls are done when they return; what they do to memory is not recorded.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cublas_v2.h"
#include "instrumentation/plain/include/tilereel/small_float.h"
#include "instrumentation/plain/runtime/memory.h"
#include "instrumentation/plain/runtime/open_blas.h"
#include "instrumentation/plain/runtime/program.h"

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
};

namespace tilereel::plain {
namespace {

constexpr int kColumnMajor = 102;

int transposed(cublasOperation_t op) { return 111 + static_cast<int>(op); }

// Elements that a vector or a matrix takes from its pointer on.
std::uint64_t vector_extent(int n, int increment) {
    return n <= 0 ? 0 : std::uint64_t(n - 1) * static_cast<unsigned>(std::abs(increment)) + 1;
}
std::uint64_t matrix_extent(int rows, int cols, int leading) {
    return rows <= 0 || cols <= 0 ? 0
                                  : std::uint64_t(cols - 1) * static_cast<unsigned>(leading) +
                                        static_cast<unsigned>(rows);
}
std::uint64_t operand_extent(cublasOperation_t op, int rows, int cols, int leading) {
    return op == CUBLAS_OP_N ? matrix_extent(rows, cols, leading)
                             : matrix_extent(cols, rows, leading);
}

// One call: what it is given is checked, then device memory is open until it ends.
class Call {
  public:
    Call(const char* name, cublasHandle_t handle) : name_(name) {
        if (handle == nullptr) fail(CUBLAS_STATUS_NOT_INITIALIZED);
        if (sticky_error() != cudaSuccess) fail(CUBLAS_STATUS_EXECUTION_FAILED);
    }
    Call& takes(const void* pointer, std::uint64_t elements, std::size_t element_bytes) {
        if (status_ != CUBLAS_STATUS_SUCCESS || elements == 0) return *this;
        const auto address = reinterpret_cast<std::uint64_t>(pointer);
        const MemoryArray* const array = DeviceMemory::instance().find(address);
        if (array != nullptr && address - array->base + elements * element_bytes <= array->bytes)
            return *this;
        send_finding(
            "host_access",
            std::string(name_) + (array == nullptr
                                      ? " is given memory that is not the GPU's."
                                      : " is given a matrix or vector that goes beyond the end of "
                                        "its allocation."),
            array == nullptr ? "Pass pointers from cudaMalloc."
                             : "Check the extents and the leading dimensions; matrices are "
                               "column-major.");
        fail(CUBLAS_STATUS_EXECUTION_FAILED);
        return *this;
    }
    template <class Work>
    cublasStatus_t run(Work&& work) {
        if (status_ != CUBLAS_STATUS_SUCCESS) return status_;
        const HostCall call;
        const OpenMemory open;
        work();
        return CUBLAS_STATUS_SUCCESS;
    }
    template <class T>
    [[nodiscard]] const Blas<T>* library() {
        const Blas<T>* const found = blas<T>();
        if (found == nullptr) {
            send_finding("not_taken", "cuBLAS is answered by OpenBLAS, which is not installed.",
                         "Install it: apt-get install libopenblas0.");
            fail(CUBLAS_STATUS_NOT_INITIALIZED);
        }
        return found;
    }
    [[nodiscard]] bool is_sound(bool sound) {
        if (!sound && status_ == CUBLAS_STATUS_SUCCESS) status_ = CUBLAS_STATUS_INVALID_VALUE;
        return status_ == CUBLAS_STATUS_SUCCESS;
    }

  private:
    void fail(cublasStatus_t status) {
        if (status_ == CUBLAS_STATUS_SUCCESS) status_ = status;
    }
    const char* name_;
    cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
};

template <class T>
struct Product {
    cublasOperation_t op_a, op_b;
    int m, n, k;
    const T* alpha;
    const T* a;
    int lda;
    const T* b;
    int ldb;
    const T* beta;
    T* c;
    int ldc;

    [[nodiscard]] bool is_sound() const {
        return m >= 0 && n >= 0 && k >= 0 && alpha != nullptr && beta != nullptr &&
               lda >= std::max(1, op_a == CUBLAS_OP_N ? m : k) &&
               ldb >= std::max(1, op_b == CUBLAS_OP_N ? k : n) && ldc >= std::max(1, m);
    }
    [[nodiscard]] std::uint64_t extent_a() const { return operand_extent(op_a, m, k, lda); }
    [[nodiscard]] std::uint64_t extent_b() const { return operand_extent(op_b, k, n, ldb); }
    [[nodiscard]] std::uint64_t extent_c() const { return matrix_extent(m, n, ldc); }
    void multiply(const Blas<T>& with) const {
        if (m == 0 || n == 0) return;
        with.gemm(kColumnMajor, transposed(op_a), transposed(op_b), m, n, k, *alpha, a, lda, b, ldb,
                  *beta, c, ldc);
    }
};

template <class T>
cublasStatus_t gemm(Call call, const Product<T>& product) {
    const Blas<T>* const with = call.library<T>();
    if (!call.is_sound(product.is_sound())) return call.run([] {});
    call.takes(product.a, product.extent_a(), sizeof(T))
        .takes(product.b, product.extent_b(), sizeof(T))
        .takes(product.c, product.extent_c(), sizeof(T));
    return call.run([&] { product.multiply(*with); });
}

// C = alpha op(A) + beta op(B).
template <class T>
cublasStatus_t geam(Call call, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                    const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c,
                    int ldc) {
    if (!call.is_sound(m >= 0 && n >= 0 && alpha != nullptr && beta != nullptr))
        return call.run([] {});
    call.takes(c, matrix_extent(m, n, ldc), sizeof(T));
    if (*alpha != T(0)) call.takes(a, operand_extent(op_a, m, n, lda), sizeof(T));
    if (*beta != T(0)) call.takes(b, operand_extent(op_b, m, n, ldb), sizeof(T));
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

std::size_t bytes_of(cudaDataType type) {
    return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2;
}
bool is_taken(cudaDataType type) {
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
// With copies of the operands in the type of the sums, T.
template <class T>
cublasStatus_t gemm_of(Call call, Product<T> product, Operand a, Operand b, Operand c) {
    const Blas<T>* const with = call.library<T>();
    if (!call.is_sound(product.is_sound())) return call.run([] {});
    call.takes(a.data, product.extent_a(), bytes_of(a.type))
        .takes(b.data, product.extent_b(), bytes_of(b.type))
        .takes(c.data, product.extent_c(), bytes_of(c.type));
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
// A setting and how it is asked for.
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

#define BLAS_OF(X, T)                                                                              \
    cublasStatus_t cublas##X##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,       \
                                   int incx, T* y, int incy) {                                     \
        Call call("cublas" #X "axpy", handle);                                                     \
        const Blas<T>* const with = call.library<T>();                                             \
        call.takes(x, vector_extent(n, incx), sizeof(T))                                           \
            .takes(y, vector_extent(n, incy), sizeof(T));                                          \
        return call.run([&] { with->axpy(n, *alpha, x, incx, y, incy); });                         \
    }                                                                                              \
    cublasStatus_t cublas##X##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) { \
        Call call("cublas" #X "scal", handle);                                                     \
        const Blas<T>* const with = call.library<T>();                                             \
        call.takes(x, vector_extent(n, incx), sizeof(T));                                          \
        return call.run([&] { with->scal(n, *alpha, x, incx); });                                  \
    }                                                                                              \
    cublasStatus_t cublas##X##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y,       \
                                   int incy) {                                                     \
        Call call("cublas" #X "copy", handle);                                                     \
        const Blas<T>* const with = call.library<T>();                                             \
        call.takes(x, vector_extent(n, incx), sizeof(T))                                           \
            .takes(y, vector_extent(n, incy), sizeof(T));                                          \
        return call.run([&] { with->copy(n, x, incx, y, incy); });                                 \
    }                                                                                              \
    cublasStatus_t cublas##X##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) { \
        Call call("cublas" #X "swap", handle);                                                     \
        const Blas<T>* const with = call.library<T>();                                             \
        call.takes(x, vector_extent(n, incx), sizeof(T))                                           \
            .takes(y, vector_extent(n, incy), sizeof(T));                                          \
        return call.run([&] { with->swap(n, x, incx, y, incy); });                                 \
    }                                                                                              \
    cublasStatus_t cublas##X##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y,  \
                                  int incy, T* result) {                                           \
        Call call("cublas" #X "dot", handle);                                                      \
        const Blas<T>* const with = call.library<T>();                                             \
        call.takes(x, vector_extent(n, incx), sizeof(T))                                           \
            .takes(y, vector_extent(n, incy), sizeof(T));                                          \
        return call.run([&] { *result = with->dot(n, x, incx, y, incy); });                        \
    }                                                                                              \
    cublasStatus_t cublas##X##nrm2(cublasHandle_t handle, int n, const T* x, int incx,             \
                                   T* result) {                                                    \
        Call call("cublas" #X "nrm2", handle);                                                     \
        const Blas<T>* const with = call.library<T>();                                             \
        call.takes(x, vector_extent(n, incx), sizeof(T));                                          \
        return call.run([&] { *result = with->nrm2(n, x, incx); });                                \
    }                                                                                              \
    cublasStatus_t cublas##X##asum(cublasHandle_t handle, int n, const T* x, int incx,             \
                                   T* result) {                                                    \
        Call call("cublas" #X "asum", handle);                                                     \
        const Blas<T>* const with = call.library<T>();                                             \
        call.takes(x, vector_extent(n, incx), sizeof(T));                                          \
        return call.run([&] { *result = with->asum(n, x, incx); });                                \
    }                                                                                              \
    cublasStatus_t cublas##X##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,      \
                                   const T* alpha, const T* a, int lda, const T* x, int incx,      \
                                   const T* beta, T* y, int incy) {                                \
        Call call("cublas" #X "gemv", handle);                                                     \
        const Blas<T>* const with = call.library<T>();                                             \
        const bool plain = op == CUBLAS_OP_N;                                                      \
        call.takes(a, matrix_extent(m, n, lda), sizeof(T))                                         \
            .takes(x, vector_extent(plain ? n : m, incx), sizeof(T))                               \
            .takes(y, vector_extent(plain ? m : n, incy), sizeof(T));                              \
        return call.run([&] {                                                                      \
            with->gemv(kColumnMajor, transposed(op), m, n, *alpha, a, lda, x, incx, *beta, y,      \
                       incy);                                                                      \
        });                                                                                        \
    }                                                                                              \
    cublasStatus_t cublas##X##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, \
                                  int incx, const T* y, int incy, T* a, int lda) {                 \
        Call call("cublas" #X "ger", handle);                                                      \
        const Blas<T>* const with = call.library<T>();                                             \
        call.takes(a, matrix_extent(m, n, lda), sizeof(T))                                         \
            .takes(x, vector_extent(m, incx), sizeof(T))                                           \
            .takes(y, vector_extent(n, incy), sizeof(T));                                          \
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

// Counted from 1 on.
#define BLAS_MAXIMUM(name, T)                                                                \
    cublasStatus_t name(cublasHandle_t handle, int n, const T* x, int incx, int* result) {   \
        Call call(#name, handle);                                                            \
        const Blas<T>* const with = call.library<T>();                                       \
        call.takes(x, vector_extent(n, incx), sizeof(T));                                    \
        return call.run([&] {                                                                \
            *result = n < 1 || incx < 1 ? 0 : static_cast<int>(with->iamax(n, x, incx)) + 1; \
        });                                                                                  \
    }
BLAS_MAXIMUM(cublasIsamax, float)
BLAS_MAXIMUM(cublasIdamax, double)
#undef BLAS_MAXIMUM

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType type_a, int lda, const void* b, cudaDataType type_b,
                            int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
    if (!is_taken(type_a) || !is_taken(type_b) || !is_taken(type_c) || alpha == nullptr ||
        beta == nullptr)
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
