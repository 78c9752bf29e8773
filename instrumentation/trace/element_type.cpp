#include "instrumentation/trace/element_type.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "instrumentation/base/format/decimal_text.h"

namespace tilereel {
namespace {

struct TypeFacts {
    std::string_view name;
    std::uint32_t bytes;
};
constexpr std::array<TypeFacts, 13> kTypes = {{{"float32", 4},
                                               {"float64", 8},
                                               {"float16", 2},
                                               {"bfloat16", 2},
                                               {"int8", 1},
                                               {"int16", 2},
                                               {"int32", 4},
                                               {"int64", 8},
                                               {"uint8", 1},
                                               {"uint16", 2},
                                               {"uint32", 4},
                                               {"uint64", 8},
                                               {"bytes", 1}}};

template <class T>
T read(std::span<const std::byte> bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

// IEEE 754 binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits.
double half_number(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;
    if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

std::string one_value_text(ElementType type, std::span<const std::byte> bytes) {
    switch (type) {
        case ElementType::kInt64:
            return std::to_string(read<std::int64_t>(bytes));
        case ElementType::kUint64:
            return std::to_string(read<std::uint64_t>(bytes));
        case ElementType::kFloat64: {
            const double value = number_of(type, bytes);
            if (std::isnan(value)) return decimal_text(value);
            std::array<char, 32> text{};
            std::snprintf(text.data(), text.size(), "%.10g", value);
            return text.data();
        }
        case ElementType::kFloat32:
        case ElementType::kFloat16:
        case ElementType::kBfloat16:
            return decimal_text(number_of(type, bytes));
        default:
            return std::to_string(static_cast<std::int64_t>(number_of(type, bytes)));
    }
}

}  // namespace

std::string_view type_name(ElementType type) { return kTypes[static_cast<std::size_t>(type)].name; }

std::optional<ElementType> element_type(std::string_view name) {
    for (std::size_t i = 0; i < kTypes.size(); ++i)
        if (kTypes[i].name == name) return static_cast<ElementType>(i);
    return std::nullopt;
}

std::uint32_t type_bytes(ElementType type) { return kTypes[static_cast<std::size_t>(type)].bytes; }

double number_of(ElementType type, std::span<const std::byte> bytes) {
    switch (type) {
        case ElementType::kFloat32:
            return double{read<float>(bytes)};
        case ElementType::kFloat64:
            return read<double>(bytes);
        case ElementType::kFloat16:
            return half_number(read<std::uint16_t>(bytes));
        case ElementType::kBfloat16:
            return double{std::bit_cast<float>(std::uint32_t{read<std::uint16_t>(bytes)} << 16)};
        case ElementType::kInt8:
            return read<std::int8_t>(bytes);
        case ElementType::kInt16:
            return read<std::int16_t>(bytes);
        case ElementType::kInt32:
            return read<std::int32_t>(bytes);
        case ElementType::kInt64:
            return static_cast<double>(read<std::int64_t>(bytes));
        case ElementType::kUint8:
        case ElementType::kBytes:
            return read<std::uint8_t>(bytes);
        case ElementType::kUint16:
            return read<std::uint16_t>(bytes);
        case ElementType::kUint32:
            return read<std::uint32_t>(bytes);
        case ElementType::kUint64:
            return static_cast<double>(read<std::uint64_t>(bytes));
    }
    return 0;
}

std::string value_text(ElementType type, std::span<const std::byte> bytes) {
    if (type == ElementType::kBytes) {
        std::string text = "0x";  // the highest byte first, as a number is written
        for (std::size_t i = bytes.size(); i-- > 0;) {
            std::array<char, 4> digits{};
            std::snprintf(digits.data(), digits.size(), "%02x",
                          std::to_integer<unsigned>(bytes[i]));
            text += digits.data();
        }
        return text;
    }
    const std::size_t size = type_bytes(type);
    if (bytes.size() < size) return value_text(ElementType::kBytes, bytes);
    std::string text = one_value_text(type, bytes);
    if (bytes.size() < 2 * size) return text;
    text.insert(0, 1, '(');
    for (std::size_t at = size; at + size <= bytes.size(); at += size) {
        text += ", ";
        text += one_value_text(type, bytes.subspan(at));
    }
    return text += ')';
}

}  // namespace tilereel
