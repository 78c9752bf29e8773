#pragma once
// An element of an array by its row and column.
#include <algorithm>
#include <cstdint>

#include "instrumentation/trace/trace.h"

namespace tilereel {

struct ElementName {  // A[row,column]
    ArrayId array = kNoArray;
    std::uint32_t row = 0, column = 0;
    bool operator==(const ElementName&) const = default;
};

// The element of array `id` at a byte offset as in Records::base.
[[nodiscard]] inline ElementName element_name(const Trace& trace, ArrayId id,
                                              std::uint32_t offset_bytes) {
    const Array& array = trace.arrays[id];
    const ElementPlace at =
        array.place_of((offset_bytes - array.base_bytes) / std::max(1u, array.element_bytes));
    return {id, at.row, at.column};
}

}  // namespace tilereel
