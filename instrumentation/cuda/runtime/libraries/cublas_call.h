#pragma once
// A call of cuBLAS: its arguments are checked, then it runs with device memory open to host code.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "instrumentation/cuda/runtime/api/streams.h"
#include "instrumentation/cuda/runtime/libraries/cublas_headers.h"
#include "instrumentation/cuda/runtime/libraries/note_host_call.h"
#include "instrumentation/cuda/runtime/libraries/open_blas.h"
#include "instrumentation/cuda/runtime/outside_text.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/simulated_memory.h"

namespace tilereel::runtime {

// CBLAS's codes: CblasColMajor; CblasNoTrans (111), CblasTrans, CblasConjTrans.
inline constexpr int kColumnMajor = 102;
inline int cblas_code(cublasOperation_t op) { return 111 + static_cast<int>(op); }

// The number of elements from the first to the last one of a vector or a matrix.
inline std::uint64_t vector_extent(int n, int increment) {
    return n <= 0 ? 0 : std::uint64_t(n - 1) * static_cast<unsigned>(std::abs(increment)) + 1;
}
inline std::uint64_t matrix_extent(int rows, int cols, int leading) {
    return rows <= 0 || cols <= 0 ? 0
                                  : std::uint64_t(cols - 1) * static_cast<unsigned>(leading) +
                                        static_cast<unsigned>(rows);
}
inline std::uint64_t operand_extent(cublasOperation_t op, int rows, int cols, int leading) {
    return op == CUBLAS_OP_N ? matrix_extent(rows, cols, leading)
                             : matrix_extent(cols, rows, leading);
}

class Call {
  public:
    // `handle`: a cublasHandle_t, cublasLtHandle_t or cublasXtHandle_t.
    Call(const char* name, const void* handle) : name_(name) {
        if (handle == nullptr) fail(CUBLAS_STATUS_NOT_INITIALIZED);
        if (sticky_error() != cudaSuccess) fail(CUBLAS_STATUS_EXECUTION_FAILED);
        if (captures_running != 0) {
            send_finding(RecordedFindingKind::kUnsupported,
                         std::string(name_) +
                             " is called while a stream is captured; Tilereel has no graphs with "
                             "calls of cuBLAS.",
                         "Call it without the graph.");
            fail(CUBLAS_STATUS_NOT_SUPPORTED);
        }
    }
    // Fails unless all elements lie in one allocation of device memory.
    Call& check_memory(const void* pointer, std::uint64_t elements, std::size_t element_bytes) {
        if (status_ != CUBLAS_STATUS_SUCCESS || elements == 0) return *this;
        const auto address = reinterpret_cast<std::uint64_t>(pointer);
        const MemoryArray* const array = DeviceMemory::instance().find(address);
        if (array != nullptr && address - array->base + elements * element_bytes <= array->bytes)
            return *this;
        const std::uint64_t last = address + elements * element_bytes - 1;
        send_finding(RecordedFindingKind::kHostAccess,
                     std::string(name_) +
                         (array == nullptr
                              ? std::string(" is called with a pointer that is not device memory.")
                              : " is called with a matrix or vector that extends " +
                                    distance_text(*array, last) + " its allocation."),
                     array == nullptr ? "Pass pointers from cudaMalloc."
                                      : "Check the extents and the leading dimensions; matrices "
                                        "are column-major.");
        fail(CUBLAS_STATUS_EXECUTION_FAILED);
        return *this;
    }
    // Calls work() unless a check has failed.
    template <class Work>
    cublasStatus_t run(Work&& work) {
        if (status_ != CUBLAS_STATUS_SUCCESS) return status_;
        const HostCall call;
        note_host_call(name_);
        const OpenMemory open;
        work();
        return CUBLAS_STATUS_SUCCESS;
    }
    template <class T>
    [[nodiscard]] const Blas<T>* routines() {
        const Blas<T>* const found = blas<T>();
        if (found == nullptr) {
            send_finding(RecordedFindingKind::kUnsupported,
                         "Tilereel runs cuBLAS calls with OpenBLAS, which is not installed.",
                         "Install it: apt-get install libopenblas0.");
            fail(CUBLAS_STATUS_NOT_INITIALIZED);
        }
        return found;
    }
    [[nodiscard]] bool is_valid(bool arguments_are_valid) {
        if (!arguments_are_valid && status_ == CUBLAS_STATUS_SUCCESS)
            status_ = CUBLAS_STATUS_INVALID_VALUE;
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

    [[nodiscard]] bool is_valid() const {
        return m >= 0 && n >= 0 && k >= 0 && alpha != nullptr && beta != nullptr &&
               lda >= std::max(1, op_a == CUBLAS_OP_N ? m : k) &&
               ldb >= std::max(1, op_b == CUBLAS_OP_N ? k : n) && ldc >= std::max(1, m);
    }
    [[nodiscard]] std::uint64_t extent_a() const { return operand_extent(op_a, m, k, lda); }
    [[nodiscard]] std::uint64_t extent_b() const { return operand_extent(op_b, k, n, ldb); }
    [[nodiscard]] std::uint64_t extent_c() const { return matrix_extent(m, n, ldc); }
    void multiply(const Blas<T>& with) const {
        if (m == 0 || n == 0) return;
        with.gemm(kColumnMajor, cblas_code(op_a), cblas_code(op_b), m, n, k, *alpha, a, lda, b, ldb,
                  *beta, c, ldc);
    }
};

}  // namespace tilereel::runtime
