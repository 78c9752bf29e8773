#pragma once
// The objects of cuBLASLt, as they lie in the opaque structures of cublasLt.h.
#include <cstdint>
#include <optional>

#include "instrumentation/cuda/runtime/libraries/cublas_call.h"

namespace tilereel::runtime {

struct LtLayout {
    cudaDataType type;
    std::int32_t order;
    std::uint64_t rows, cols;
    std::int64_t ld;
    std::int32_t batch_count, batch_mode;
    std::int64_t stride, plane;

    // As OpenBLAS sees it: column-major, so a row-major matrix is its transpose.
    [[nodiscard]] bool is_row_major() const { return order == CUBLASLT_ORDER_ROW; }
    [[nodiscard]] std::uint64_t inner() const { return is_row_major() ? cols : rows; }
    [[nodiscard]] std::uint64_t outer() const { return is_row_major() ? rows : cols; }
    // The number of elements from the first to the last one, of one matrix and of all.
    [[nodiscard]] std::uint64_t extent() const {
        return rows == 0 || cols == 0 ? 0 : (outer() - 1) * std::uint64_t(ld) + inner();
    }
    [[nodiscard]] std::uint64_t whole_extent() const {
        return std::uint64_t(batch_count - 1) * std::uint64_t(stride) + extent();
    }
};
struct LtMatmul {
    cublasComputeType_t compute;
    cudaDataType scale;
    std::int32_t pointer_mode, op_a, op_b, op_c, fill, epilogue;
    void* bias;
    std::int64_t bias_stride;
    void* aux;
    std::int64_t aux_ld, aux_stride, alpha_stride;
    const float *scale_a, *scale_b, *scale_c, *scale_d;
    float* greatest_d;
    const float* scale_aux;
    float* greatest_aux;
    std::int32_t type_aux, type_bias, sm_count;
    std::int32_t mode_a, mode_b, mode_c, mode_d;
    std::int8_t fast_accum;
};
struct LtTransform {
    cudaDataType scale;
    std::int32_t pointer_mode, op_a, op_b;
};
struct LtPreference {
    std::int32_t search, reductions;
    std::uint64_t workspace_bytes;
    std::int32_t align_a, align_b, align_c, align_d;
    float waves;
    std::uint64_t implementations;
};
static_assert(sizeof(LtLayout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(LtMatmul) <= sizeof(cublasLtMatmulDescOpaque_t));
static_assert(sizeof(LtTransform) <= sizeof(cublasLtMatrixTransformDescOpaque_t));
static_assert(sizeof(LtPreference) <= sizeof(cublasLtMatmulPreferenceOpaque_t));

inline LtLayout& object_of(cublasLtMatrixLayout_t layout) {
    return *reinterpret_cast<LtLayout*>(layout);
}
inline LtMatmul& object_of(cublasLtMatmulDesc_t desc) { return *reinterpret_cast<LtMatmul*>(desc); }
inline LtTransform& object_of(cublasLtMatrixTransformDesc_t desc) {
    return *reinterpret_cast<LtTransform*>(desc);
}
inline LtPreference& object_of(cublasLtMatmulPreference_t preference) {
    return *reinterpret_cast<LtPreference*>(preference);
}

// Bits of cublasLtEpilogue_t.
struct EpilogueBits {
    static constexpr int kRelu = 2, kBias = 4, kReluGradient = 8, kBiasGradient = 16, kGelu = 32,
                         kGeluGradient = 64, kAux = 128, kBiasGradientA = 256, kBiasGradientB = 512;
};
[[nodiscard]] inline bool is_tiny(cudaDataType type) {
    return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

// The values of a factor: alpha or beta.
[[nodiscard]] double factor_of(const void* from, cudaDataType type);
// What follows the product (cublasLtEpilogue_t). `values` is D, column-major and without gaps: m
// rows and n columns, transposed if `is_transposed`. `batch`: which of the matrices.
template <class T>
void run_epilogue(const LtMatmul& desc, const LtLayout& layout_d, std::int64_t batch, T* values);
// Whether Tilereel computes it. Otherwise `reason` says what it does not compute.
[[nodiscard]] bool is_computed(const LtMatmul& desc, const LtLayout& a, const LtLayout& b,
                               const LtLayout& c, const LtLayout& d, const char*& reason);
// What cuBLASLt refuses on a GPU, though it could be computed: "is called with {reason}".
struct LtRefusal {
    cublasStatus_t status;
    const char *reason, *advice;
};
[[nodiscard]] std::optional<LtRefusal> refusal_of(const LtMatmul& desc, const LtLayout& a,
                                                  const LtLayout& b, const LtLayout& c,
                                                  const LtLayout& d);

}  // namespace tilereel::runtime
