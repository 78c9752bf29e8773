#pragma once
// What lanes do with registers, found in the trace: the sums that one owns, the operands that it
// reads from shared memory, and which of them each multiply-add takes.
#include <vector>

#include "app/replay/elements.h"
#include "app/replay/step.h"

namespace tilereel {

// One word that a lane reads from shared memory, a copy of an element of A or B.
struct LaneOperand {
    std::uint32_t step = kNoStep;  // that reads it
    ArrayId matrix = kNoArray;
    std::uint32_t row = 0, column = 0;  // of the matrix
    float value = 0.0f;
};

// The multiply-adds with one column k of A and row k of B; they take effect when a step ends.
struct LaneProducts {
    std::uint32_t step = 0;
    std::uint32_t k = kNoStep;           // kNoStep: does not follow from what the lane has read
    std::uint32_t first = 0, count = 0;  // in LaneWork::order
};

struct LaneWork {
    std::uint32_t warp = 0, lane = 0;
    std::vector<std::uint32_t> rows, columns;  // of C, of the lane's sums, ascending
    std::vector<CellRect> cells;               // of C: its sums
    std::vector<LaneOperand> operands;         // by step
    std::vector<LaneProducts> products;        // by step
    // The place in C of each multiply-add, in program order: row times the columns of Regions::c,
    // plus the column; kNoStep where its sum never reaches C.
    std::vector<std::uint32_t> order;
    // Columns of A, and rows of B, that one read brings: 4 where it goes along k.
    std::uint32_t k_of_a = 1, k_of_b = 1;

    // The products that are being prepared when a step runs, or that take effect when it ends: the
    // first of a step no earlier; those of several k at one step, from the first. products.size():
    // none are left.
    [[nodiscard]] std::size_t products_from(std::uint32_t step) const;
};

}  // namespace tilereel
