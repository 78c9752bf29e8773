// Which products cuBLASLt refuses that could be computed. The rules for pointers and orders were
// measured with cuBLAS 13 on an H200; those for numbers of 8 bits are the tables of
// cublasLtMatmul() in the cuBLAS documentation, and hold on the H200, too.
#include "instrumentation/cuda/runtime/libraries/cublas_lt.h"

namespace tilereel::runtime {
namespace {

constexpr int kAnyBias = EpilogueBits::kBias | EpilogueBits::kBiasGradient |
                         EpilogueBits::kBiasGradientA | EpilogueBits::kBiasGradientB;

std::optional<LtRefusal> refusal_of_epilogue(const LtMatmul& desc, const LtLayout& d) {
    const int bits = desc.epilogue;
    if (bits == CUBLASLT_EPILOGUE_DEFAULT) return std::nullopt;
    const bool is_activation = (bits & ~(EpilogueBits::kRelu | EpilogueBits::kGelu)) == 0;
    if (d.is_row_major() && !is_activation)
        return LtRefusal{CUBLAS_STATUS_NOT_SUPPORTED,
                         "a row-major D and an epilogue with a bias or an auxiliary matrix",
                         "Make D column-major."};
    if (((bits & kAnyBias) != 0) != (desc.bias != nullptr))
        return LtRefusal{CUBLAS_STATUS_INVALID_VALUE,
                         desc.bias == nullptr ? "an epilogue with a bias and no pointer to one"
                                              : "a bias for an epilogue that has none",
                         "Set CUBLASLT_MATMUL_DESC_BIAS_POINTER for an epilogue with a bias, "
                         "and for no other."};
    const bool has_function = (bits & ~kAnyBias) != 0;
    const bool is_gradient =
        (bits & (EpilogueBits::kReluGradient | EpilogueBits::kGeluGradient)) != 0;
    if (has_function && ((bits & EpilogueBits::kAux) != 0) != (desc.aux != nullptr))
        return LtRefusal{is_gradient && desc.aux == nullptr ? CUBLAS_STATUS_INVALID_VALUE
                                                            : CUBLAS_STATUS_NOT_SUPPORTED,
                         desc.aux == nullptr ? "an epilogue with an auxiliary matrix and no pointer"
                                             : "an auxiliary matrix for an epilogue without one",
                         "Set CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER for an epilogue whose "
                         "name has AUX or D, and for no other."};
    return std::nullopt;
}

bool is_aligned(const LtLayout& layout, std::uint64_t bytes_each) {
    return layout.inner() * bytes_each % 16 == 0 && std::uint64_t(layout.ld) * bytes_each % 16 == 0;
}

std::optional<LtRefusal> refusal_of_tiny(const LtMatmul& desc, const LtLayout& a, const LtLayout& b,
                                         const LtLayout& c, const LtLayout& d) {
    if (!is_tiny(a.type) && !is_tiny(b.type)) return std::nullopt;
    const bool types_fit =
        is_tiny(a.type) && is_tiny(b.type) &&
        (a.type == CUDA_R_8F_E4M3 || b.type == CUDA_R_8F_E4M3) &&
        (c.type == CUDA_R_16BF || c.type == CUDA_R_16F || c.type == CUDA_R_32F) &&
        (d.type == c.type ||
         (c.type != CUDA_R_32F &&
          (d.type == CUDA_R_8F_E4M3 ||
           (d.type == CUDA_R_8F_E5M2 && (a.type == CUDA_R_8F_E5M2 || b.type == CUDA_R_8F_E5M2)))));
    if (!types_fit)
        return LtRefusal{CUBLAS_STATUS_NOT_SUPPORTED,
                         "8-bit numbers and types that do not fit them",
                         "A or B is E4M3; C is BF16, FP16 or FP32; D is as C or E4M3, or E5M2 if A "
                         "or B is; an FP32 C has an FP32 D."};
    const bool tn = (desc.op_a != CUBLAS_OP_N) != a.is_row_major() &&
                    (desc.op_b != CUBLAS_OP_N) == b.is_row_major() && !d.is_row_major();
    if (!tn || !is_aligned(a, 1) || (b.outer() > 1 && !is_aligned(b, 1)))
        return LtRefusal{
            CUBLAS_STATUS_NOT_SUPPORTED,
            "8-bit numbers, and A not transposed, B transposed, or a K that is no "
            "multiple of 16",
            "A is transposed and B is not, both column-major; their columns and leading "
            "dimensions are multiples of 16 bytes."};
    return std::nullopt;
}

}  // namespace

std::optional<LtRefusal> refusal_of(const LtMatmul& desc, const LtLayout& a, const LtLayout& b,
                                    const LtLayout& c, const LtLayout& d) {
    if (auto refusal = refusal_of_epilogue(desc, d)) return refusal;
    return refusal_of_tiny(desc, a, b, c, d);
}

}  // namespace tilereel::runtime
