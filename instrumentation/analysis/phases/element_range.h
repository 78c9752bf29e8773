#pragma once
// Rectangles of an array's elements. Tensor cores take elements of 2 bytes and less, of which a
// lane moves eight or more at once: a list of single ones would not be read.
#include <cstdint>
#include <vector>

#include "instrumentation/analysis/phases/element_name.h"

namespace tilereel {

struct RangeExtent {
    std::uint32_t rows = 1, columns = 1;
    bool operator==(const RangeExtent&) const = default;
};

struct ElementRange {
    ElementName first;
    RangeExtent extent{};
    bool operator==(const ElementRange&) const = default;
};

// The elements of one array as rectangles, by rows, then columns: one, if they are one; otherwise
// runs within a row, of which equal ones of adjacent rows are joined. An element may be there more
// than once.
[[nodiscard]] std::vector<ElementRange> rectangles_of(std::vector<ElementName> elements);

}  // namespace tilereel
