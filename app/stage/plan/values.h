#pragma once
// Numbers as text for cells: integers below a million in full, others shortened.
#include <cstddef>
#include <span>
#include <string_view>

#include "instrumentation/trace/trace.h"

namespace tilereel::stage {

struct CellText {
    char text[16];
    std::size_t length = 0;
    [[nodiscard]] std::string_view view() const { return {text, length}; }
};
[[nodiscard]] CellText text_of(double value);
// The text of an element's bytes; empty if they are not a number.
[[nodiscard]] CellText text_of_value(ElementType type, std::span<const std::byte> bytes);
// The number of characters of the widest value, estimated from the range of `values`.
[[nodiscard]] int widest(const MatrixElements& values);

}  // namespace tilereel::stage
