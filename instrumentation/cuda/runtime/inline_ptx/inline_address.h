#pragma once
// Addresses in inline PTX. Global memory has its own, which are pointers. A shared address is the
// offset in the block's shared memory, as on a GPU: it fits 32 bits, and its low bits say in which
// bank the word lies. Shared memory of another block of the cluster lies in a window of its own:
// see RunningCluster.
#include <cstdint>
#include <string_view>

#include "instrumentation/cuda/include/tilereel/runtime_calls.h"
#include "instrumentation/cuda/runtime/cluster/other_block.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_program.h"
#include "instrumentation/trace/space.h"

namespace tilereel::runtime {

// The space that a word names, "shared::cta"; kGeneric: none has this name, or it is a parameter's.
[[nodiscard]] Space space_named(std::string_view word);
// The space that the words of an instruction name.
[[nodiscard]] Space space_of(const PtxInstruction& instruction);
// Where a generic address lies.
[[nodiscard]] Space space_of(std::uint64_t address);

// An address operand: the sum of its terms.
struct PtxAddress final : PtxDetails {
    std::vector<PtxSource> terms;  // is_negated: subtracted
    Space space = Space::kGeneric;
    std::vector<PtxSource> coordinates;  // {x, y} of a box
    [[nodiscard]] std::uint64_t value(const PtxFrame& frame) const;
    [[nodiscard]] void* pointer(const PtxFrame& frame) const;
};
[[nodiscard]] Result<std::shared_ptr<PtxAddress>> address_of(const PtxBinder& binder,
                                                             std::size_t operand, Space space);

}  // namespace tilereel::runtime
