#pragma once
// The loads, stores and multiply-adds of each thread of a block in each phase, from the trace. The
// form follows the tables of "Memory Coalescing and Tiled Matrix Multiplication", "Parallel Matrix
// Multiplication".
#include <string>
#include <string_view>

#include "instrumentation/analysis/phases/phase_cells.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// The most loads and products in one table, and the most cells.
inline constexpr std::uint64_t kMostPhaseEntries = 100'000;

// kWrongCall if there is no such block, if the launch is not a product of float matrices or of
// elements of up to 4 bytes on tensor cores, or if the table would exceed kMostPhaseEntries.
[[nodiscard]] Result<PhaseTable> phase_table(const Trace& trace, std::uint32_t block);

// "A[0,2]"
[[nodiscard]] std::string text_of(const Trace& trace, const ElementName& at);
// "A[0..15,0..63]", "As[1,0..15,8..15]"
[[nodiscard]] std::string text_of(const Trace& trace, const ElementRange& range);
// "Load A[0,2] -> As[0,0]", "Load B[1,0]", "Store 0 -> As[0,1]", "Other block: A[0,2] -> As[0,0]"
[[nodiscard]] std::string text_of(const Trace& trace, const PhaseLoad& load);
// "C[0,0]+=As[0,0]*Bs[0,0] + As[0,1]*Bs[1,0]"
[[nodiscard]] std::string text_of(const Trace& trace, const PhaseSum& sum);
// "C[0..15,0..63]+=A[0..15,0..63]*B[0..63,0..63]"; the warp's
[[nodiscard]] std::string text_of(const Trace& trace, const PhaseTile& tile);
// "warp", "warpgroup"
[[nodiscard]] std::string_view who_multiplies(const PhaseTile& tile);
// "32 m16n8k16"; without a number "m16n8k16"
[[nodiscard]] std::string products_text(const PhaseTile& tile);

}  // namespace tilereel
