#pragma once
// The element type of an array, from the type that the plugin or the debug information reports.
#include <cstdint>
#include <string_view>

#include "instrumentation/cuda/hooks.h"
#include "instrumentation/trace/element_type.h"

namespace tilereel::runtime {

// `scalar` and `bytes` describe the innermost first member. `type_name` identifies half types.
inline ElementType element_type_of(Scalar scalar, std::uint32_t bytes, std::string_view type_name) {
    const auto has = [&](std::string_view part) {
        return type_name.find(part) != std::string_view::npos;
    };
    if (bytes == 2 && has("half")) return ElementType::kFloat16;
    if (bytes == 2 && has("bfloat16")) return ElementType::kBfloat16;
    const bool is_unsigned = scalar == Scalar::kUnsigned || scalar == Scalar::kPointer;
    if (scalar == Scalar::kFloating && bytes == 2) return ElementType::kFloat16;
    if (scalar == Scalar::kFloating)
        return bytes == 8 ? ElementType::kFloat64 : ElementType::kFloat32;
    if (scalar == Scalar::kOther) return ElementType::kBytes;
    switch (bytes) {
        case 1:
            return is_unsigned ? ElementType::kUint8 : ElementType::kInt8;
        case 2:
            return is_unsigned ? ElementType::kUint16 : ElementType::kInt16;
        case 4:
            return is_unsigned ? ElementType::kUint32 : ElementType::kInt32;
        case 8:
            return is_unsigned ? ElementType::kUint64 : ElementType::kInt64;
        default:
            return ElementType::kBytes;
    }
}

}  // namespace tilereel::runtime
