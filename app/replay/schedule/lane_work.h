#pragma once
// The work of a lane in registers, found in the trace: its sums, the operands that it loads from
// shared memory, and the operands of each multiply-add.
#include <vector>

#include "app/replay/elements.h"
#include "app/replay/schedule/step.h"

namespace tilereel {

// One word that a lane loads from shared memory, a copy of an element of A or B.
struct LaneOperand {
    std::uint32_t step = kNoStep;  // that loads it
    ArrayId matrix = kNoArray;
    std::uint32_t row = 0, column = 0;  // of the matrix
    float value = 0.0f;
};

// The multiply-adds with column k of A and row k of B. They take effect at the end of `step`.
struct LaneProducts {
    std::uint32_t step = 0;
    std::uint32_t k = kNoStep;           // kNoStep: unknown
    std::uint32_t first = 0, count = 0;  // range in LaneWork::order
};

struct LaneWork {
    std::uint32_t warp = 0, lane = 0;
    std::vector<std::uint32_t> rows, columns;  // rows and columns of C of its sums, ascending
    std::vector<CellRect> cells;               // elements of C of its sums
    std::vector<LaneOperand> operands;         // sorted by step
    std::vector<LaneProducts> products;        // sorted by step
    // The element of C of each multiply-add, in program order: row times the columns of Regions::c,
    // plus the column; kNoStep if its sum is never stored to C.
    std::vector<std::uint32_t> order;
    // Columns of A, and rows of B, of one load: 4 for a 16-byte load along k.
    std::uint32_t k_of_a = 1, k_of_b = 1;

    // The index of the first products whose step is `step` or later; products.size() if there are
    // none. They take effect at the end of `step`, or their operands are being loaded.
    [[nodiscard]] std::size_t products_from(std::uint32_t step) const;
};

}  // namespace tilereel
