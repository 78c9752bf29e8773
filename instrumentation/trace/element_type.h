#pragma once
// The types of array elements and local variables, and how their bytes are read.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilereel {

enum class ElementType : std::uint8_t {
    kFloat32 = 0,
    kFloat64 = 1,
    kFloat16 = 2,   // IEEE 754 binary16: __half
    kBfloat16 = 3,  // the upper half of a binary32: __nv_bfloat16
    kInt8 = 4,
    kInt16 = 5,
    kInt32 = 6,
    kInt64 = 7,
    kUint8 = 8,
    kUint16 = 9,
    kUint32 = 10,
    kUint64 = 11,
    kBytes = 12,  // anything else: structs, pointers to members
};
inline constexpr ElementType kLastElementType = ElementType::kBytes;

// The name in the trace file: "float32", "uint8", "bytes".
[[nodiscard]] std::string_view type_name(ElementType type);
[[nodiscard]] std::optional<ElementType> element_type(std::string_view name);
// The size of one value; 1 for kBytes.
[[nodiscard]] std::uint32_t type_bytes(ElementType type);

// The value of at least type_bytes() little-endian bytes. 64-bit integers are rounded to double.
[[nodiscard]] double number_of(ElementType type, std::span<const std::byte> bytes);
// The value as text: "0.5", "-3", "not a number", "0x1f" for kBytes. Floating values have at most 7
// significant digits, kFloat64 at most 10. A value of a vector type ("float4") is its components in
// parentheses.
[[nodiscard]] std::string value_text(ElementType type, std::span<const std::byte> bytes);

// The bytes of one lane's value: the first `width_bytes` of its words in Trace::words.
[[nodiscard]] inline std::span<const std::byte> bytes_of_words(std::span<const std::uint32_t> words,
                                                               std::uint32_t width_bytes) {
    return std::as_bytes(words).first(width_bytes);
}

}  // namespace tilereel
