#pragma once
// The element types that a kernel of the ladder takes A and B in. C is float32 in all of them.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tilereel {

enum class InputType : std::uint8_t {
    kFloat32 = 0,
    kBfloat16 = 1,  // the upper half of a float32: 8 bits of exponent, 7 of fraction
};

// As CUDA spells it, and as people do.
[[nodiscard]] constexpr std::string_view cuda_name(InputType type) {
    return type == InputType::kFloat32 ? "float" : "__nv_bfloat16";
}
[[nodiscard]] constexpr std::string_view name_of(InputType type) {
    return type == InputType::kFloat32 ? "FP32" : "BF16";
}
[[nodiscard]] constexpr std::size_t bytes_of(InputType type) {
    return type == InputType::kFloat32 ? 4 : 2;
}

// The elements of a row that is padded to a multiple of 16 bytes, as the TMA requires.
[[nodiscard]] constexpr int aligned_row(int columns, InputType type) {
    const int unit = 16 / static_cast<int>(bytes_of(type));
    return (columns + unit - 1) / unit * unit;
}

// The bits of the bfloat16 next to the value; of two, the even one (PTX ISA, cvt.rn.bf16.f32).
[[nodiscard]] inline std::uint16_t bfloat16_bits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value)) return 0x7fff;
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// The value as a kernel reads it from a matrix of this type.
[[nodiscard]] inline float rounded_to(InputType type, float value) {
    if (type == InputType::kFloat32) return value;
    return std::bit_cast<float>(std::uint32_t{bfloat16_bits(value)} << 16);
}

// The elements of a matrix in memory.
[[nodiscard]] inline std::vector<std::byte> bytes_of(InputType type,
                                                     std::span<const float> values) {
    const auto bytes = std::as_bytes(values);
    if (type == InputType::kFloat32) return {bytes.begin(), bytes.end()};
    std::vector<std::byte> result;
    result.reserve(2 * values.size());
    for (const float value : values) {
        const std::uint16_t bits = bfloat16_bits(value);
        result.push_back(static_cast<std::byte>(bits & 0xff));
        result.push_back(static_cast<std::byte>(bits >> 8));
    }
    return result;
}

}  // namespace tilereel
