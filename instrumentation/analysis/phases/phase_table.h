#pragma once
// The loads, stores and multiply-adds of each thread of a block in each phase, from the trace. The
// form follows the tables of "Memory Coalescing and Tiled Matrix Multiplication", "Parallel Matrix
// Multiplication".
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/analysis/phases/element_name.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

struct PhaseLoad {
    std::optional<ElementName> from;  // nullopt: nothing is loaded; `value` is stored instead
    std::optional<ElementName> to;  // the shared cell that gets it; nullopt: it stays in a register
    float value = 0.0f;             // stored to shared memory
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

struct PhaseCell {  // one thread, one phase
    std::vector<PhaseLoad> loads;
    std::vector<PhaseSum> sums;  // one for each accumulator
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

// The most loads and products in one table, and the most cells.
inline constexpr std::uint64_t kMostPhaseEntries = 100'000;

// kWrongCall if there is no such block, if the launch is not a product of float matrices, or if the
// table would exceed kMostPhaseEntries.
[[nodiscard]] Result<PhaseTable> phase_table(const Trace& trace, std::uint32_t block);

// "A[0,2]"
[[nodiscard]] std::string text_of(const Trace& trace, const ElementName& at);
// "Load A[0,2] -> As[0,0]", "Load B[1,0]", "Store 0 -> As[0,1]"
[[nodiscard]] std::string text_of(const Trace& trace, const PhaseLoad& load);
// "C[0,0]+=As[0,0]*Bs[0,0] + As[0,1]*Bs[1,0]"
[[nodiscard]] std::string text_of(const Trace& trace, const PhaseSum& sum);

}  // namespace tilereel
