#include "instrumentation/cuda/runtime/libraries/cublas_elements.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "instrumentation/cuda/include/tilereel/small_float.h"
#include "instrumentation/cuda/include/tilereel/tiny_float.h"

namespace tilereel::runtime {
namespace {

using Bits16 = unsigned short;
using Bits8 = unsigned char;

template <class Stored>
Stored to_integer(double value) {
    if (std::isnan(value)) return 0;
    const double rounded = std::nearbyint(value);
    return static_cast<Stored>(std::clamp(rounded, double(std::numeric_limits<Stored>::min()),
                                          double(std::numeric_limits<Stored>::max())));
}

// Calls of.template operator()<Stored>(decode, encode) for the elements of `type`: Stored is in
// memory, decode makes a double or a float of it.
template <class Use>
void with_elements(cudaDataType type, const Use& use) {
    const auto same = [](auto value) { return value; };
    switch (type) {
        case CUDA_R_64F:
            return use(double(), same, [](double value) { return value; });
        case CUDA_R_32F:
            return use(float(), same, [](double value) { return static_cast<float>(value); });
        case CUDA_R_16F:
            return use(Bits16(), half_to_float,
                       [](double value) { return float_to_half(static_cast<float>(value)); });
        case CUDA_R_16BF:
            return use(Bits16(), bfloat_to_float,
                       [](double value) { return float_to_bfloat(static_cast<float>(value)); });
        case CUDA_R_8F_E4M3:
            return use(
                Bits8(), [](Bits8 code) { return from_tiny(code, kE4M3); },
                [](double value) { return static_cast<Bits8>(to_tiny(value, kE4M3, true)); });
        case CUDA_R_8F_E5M2:
            return use(
                Bits8(), [](Bits8 code) { return from_tiny(code, kE5M2); },
                [](double value) { return static_cast<Bits8>(to_tiny(value, kE5M2, true)); });
        case CUDA_R_8I:
            return use(static_cast<signed char>(0), same, to_integer<signed char>);
        case CUDA_R_32I:
            return use(int(), same, to_integer<int>);
        default:
            return;
    }
}

}  // namespace

std::size_t element_bytes(cudaDataType type) {
    std::size_t bytes = 0;
    with_elements(type, [&](auto stored, auto, auto) { bytes = sizeof(stored); });
    return bytes;
}

template <class T>
std::vector<T> widened(const void* from, cudaDataType type, std::uint64_t count) {
    std::vector<T> result(count);
    with_elements(type, [&](auto stored, auto decode, auto) {
        const auto* const elements = static_cast<const decltype(stored)*>(from);
        for (std::uint64_t i = 0; i < count; ++i) result[i] = static_cast<T>(decode(elements[i]));
    });
    return result;
}
template <class T>
void narrow(const T* from, void* to, cudaDataType type, std::uint64_t count) {
    with_elements(type, [&](auto stored, auto, auto encode) {
        auto* const elements = static_cast<decltype(stored)*>(to);
        for (std::uint64_t i = 0; i < count; ++i) elements[i] = encode(double(from[i]));
    });
}
template std::vector<float> widened(const void*, cudaDataType, std::uint64_t);
template std::vector<double> widened(const void*, cudaDataType, std::uint64_t);
template void narrow(const float*, void*, cudaDataType, std::uint64_t);
template void narrow(const double*, void*, cudaDataType, std::uint64_t);

}  // namespace tilereel::runtime
