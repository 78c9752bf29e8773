#pragma once
// What stands in a phase table: phase_table.h.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/phases/element_range.h"

namespace tilereel {

struct PhaseLoad {
    std::optional<ElementName> from;  // nullopt: nothing is loaded; `value` is stored instead
    std::optional<ElementName> to;  // the shared cell that gets it; nullopt: it stays in a register
    float value = 0.0f;             // stored to shared memory
    // Of a launch with products of tensor cores: how many elements `from` and `to` begin. They are
    // `to` in any order, as with a swizzle.
    RangeExtent from_extent{}, to_extent{};
    // A copy that another block of the cluster started, in whose place this thread waits for it.
    bool by_other_block = false;
};

struct Operand {
    ElementName read;                   // the element that the thread loaded
    std::optional<ElementName> origin;  // the global element that was copied to the shared cell
};

struct Product {
    std::optional<Operand> a, b;  // nullopt: the loads do not show which value it is
};

struct PhaseSum {
    std::optional<ElementName> c;  // nullopt: never stored
    std::uint32_t accumulator = 0;
    std::vector<Product> products;  // in program order
};

// What the thread's warp multiplies on tensor cores: the elements of A and B that its lanes read.
struct PhaseTile {
    // Instructions. 0: some of them multiply in another phase what is read in this one, as where
    // fragments are loaded ahead.
    std::uint64_t products = 0;
    bool of_warpgroup = false;       // its four warps multiply together
    std::string shape;               // "m16n8k16"
    std::vector<ElementRange> a, b;  // rectangles; empty: the loads do not show which they are
    // If A and B are one rectangle each, whose columns and rows are the same: of C.
    std::optional<ElementRange> c;
};

struct PhaseCell {  // one thread, one phase
    std::vector<PhaseLoad> loads;
    std::vector<PhaseSum> sums;  // one for each accumulator
    std::optional<PhaseTile> tile;
};

struct PhaseThread {
    std::uint32_t x = 0, y = 0, z = 0;
    std::vector<PhaseCell> phases;
};

struct PhaseTable {
    std::uint32_t block_x = 0, block_y = 0;
    std::uint32_t phases = 0;
    std::vector<PhaseThread> threads;  // by thread number: by z, then y, then x
};

}  // namespace tilereel
