#pragma once
// What atomic operations of inline PTX do: atom, red and reductions in bulk. PTX ISA, "Parallel
// Synchronization and Communication Instructions: atom, red".
#include <cstdint>
#include <string_view>

#include "instrumentation/cuda/runtime/inline_ptx/inline_text.h"

namespace tilereel::runtime {

enum class Atomic : std::uint8_t { kAnd, kOr, kXor, kCas, kExch, kAdd, kInc, kDec, kMin, kMax };
struct AtomicFacts {
    std::string_view word;
    Atomic operation;
    const char* function;  // of CUDA
};
// The operation that the words of an instruction name; null: none.
[[nodiscard]] const AtomicFacts* atomic_named(const PtxInstruction& instruction);
// Whether PTX has the operation for floating-point types.
[[nodiscard]] bool is_of_floats(Atomic operation);
// Changes the element of the type at the address, and returns its former bits.
std::uint64_t change_atomically(PtxType type, Atomic operation, void* address, std::uint64_t b,
                                std::uint64_t c);

}  // namespace tilereel::runtime
