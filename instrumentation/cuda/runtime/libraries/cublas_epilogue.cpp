// What cuBLASLt computes after the product (cublasLtEpilogue_t).
#include <cmath>
#include <vector>

#include "instrumentation/cuda/runtime/libraries/cublas_elements.h"
#include "instrumentation/cuda/runtime/libraries/cublas_lt.h"

namespace tilereel::runtime {
namespace {

// The usual approximation with tanh.
constexpr double kGeluFactor = 0.7978845608028654;  // sqrt(2 / pi)
double gelu(double x) {
    return 0.5 * x * (1 + std::tanh(kGeluFactor * (x + 0.044715 * x * x * x)));
}
double gelu_gradient(double x) {
    const double t = std::tanh(kGeluFactor * (x + 0.044715 * x * x * x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kGeluFactor * (1 + 3 * 0.044715 * x * x);
}

// D without gaps: element (i, j) of m rows and n columns.
template <class T>
struct Values {
    T* values;
    std::int64_t m, n;
    bool is_transposed;
    [[nodiscard]] T& at(std::int64_t i, std::int64_t j) const {
        return values[is_transposed ? i * n + j : j * m + i];
    }
    template <class Use>
    void for_each(const Use& use) const {
        for (std::int64_t j = 0; j < n; ++j)
            for (std::int64_t i = 0; i < m; ++i) use(i, j, at(i, j));
    }
};

cudaDataType type_or(std::int32_t type, cudaDataType otherwise) {
    return type < 0 ? otherwise : static_cast<cudaDataType>(type);
}
char* advanced(void* from, std::int64_t elements, cudaDataType type) {
    return static_cast<char*>(from) + elements * std::int64_t(element_bytes(type));
}

// RELU's auxiliary matrix has a bit for each element, GELU's an element.
template <class T>
void use_aux(const LtMatmul& desc, cudaDataType type_d, std::int64_t batch, const Values<T>& d) {
    const auto parts = desc.epilogue;
    if ((parts & (EpilogueBits::kRelu | EpilogueBits::kReluGradient)) != 0) {
        auto* const bits = static_cast<unsigned char*>(desc.aux) + batch * desc.aux_stride / 8;
        d.for_each([&](std::int64_t i, std::int64_t j, T& value) {
            const std::int64_t at = j * desc.aux_ld + i;
            const auto bit = static_cast<unsigned char>(1u << (at & 7));
            if ((parts & EpilogueBits::kReluGradient) != 0) {
                if ((bits[at >> 3] & bit) == 0) value = 0;
            } else if (value > 0) {
                bits[at >> 3] = static_cast<unsigned char>(bits[at >> 3] | bit);
            } else {
                bits[at >> 3] = static_cast<unsigned char>(bits[at >> 3] & ~bit);
            }
        });
        return;
    }
    const cudaDataType type = type_or(desc.type_aux, type_d);
    char* const first = advanced(desc.aux, batch * desc.aux_stride, type);
    std::vector<T> column(static_cast<std::size_t>(d.m));
    for (std::int64_t j = 0; j < d.n; ++j) {
        char* const at = advanced(first, j * desc.aux_ld, type);
        if ((parts & EpilogueBits::kGeluGradient) != 0)
            column = widened<T>(at, type, column.size());
        for (std::int64_t i = 0; i < d.m; ++i) {
            T& of_aux = column[static_cast<std::size_t>(i)];
            if ((parts & EpilogueBits::kGeluGradient) != 0)
                d.at(i, j) *= static_cast<T>(gelu_gradient(of_aux));
            else
                of_aux = d.at(i, j);
        }
        if ((parts & EpilogueBits::kGelu) != 0) narrow(column.data(), at, type, column.size());
    }
}

}  // namespace

template <class T>
void run_epilogue(const LtMatmul& desc, const LtLayout& layout_d, std::int64_t batch, T* values) {
    const auto parts = desc.epilogue;
    const Values<T> d{values, std::int64_t(layout_d.rows), std::int64_t(layout_d.cols),
                      layout_d.is_row_major()};
    const cudaDataType type_bias = type_or(desc.type_bias, layout_d.type);
    void* const bias =
        desc.bias == nullptr ? nullptr : advanced(desc.bias, batch * desc.bias_stride, type_bias);
    if ((parts & EpilogueBits::kBias) != 0) {
        const std::vector<T> sums = widened<T>(bias, type_bias, std::uint64_t(d.m));
        d.for_each([&](std::int64_t i, std::int64_t, T& value) { value += sums[std::size_t(i)]; });
    }
    if ((parts & EpilogueBits::kAux) != 0) use_aux(desc, layout_d.type, batch, d);
    if ((parts & EpilogueBits::kRelu) != 0)
        d.for_each([](std::int64_t, std::int64_t, T& value) { value = value > 0 ? value : T(0); });
    if ((parts & EpilogueBits::kGelu) != 0)
        d.for_each(
            [](std::int64_t, std::int64_t, T& value) { value = static_cast<T>(gelu(value)); });
    if ((parts & EpilogueBits::kBiasGradient) != 0) {
        std::vector<T> sums(std::size_t(d.m));
        d.for_each([&](std::int64_t i, std::int64_t, T& value) { sums[std::size_t(i)] += value; });
        narrow(sums.data(), bias, type_bias, sums.size());
    }
}
template void run_epilogue(const LtMatmul&, const LtLayout&, std::int64_t, float*);
template void run_epilogue(const LtMatmul&, const LtLayout&, std::int64_t, double*);

}  // namespace tilereel::runtime
