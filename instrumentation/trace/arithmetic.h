#pragma once
// Arithmetic of a kernel: how many instructions of a warp, on which pipe of an SM.
#include <array>
#include <cstddef>
#include <cstdint>

namespace tilereel {

// Nsight Compute, "Kernel Profiling Guide", "Pipelines".
enum class ArithmeticPipe : std::uint8_t {
    kFma = 0,              // sums, products and multiply-adds of FP32
    kIntegerProducts = 1,  // products of integers: on the FMA pipe, at half its rate
    kAlu = 2,              // sums of integers, logic, shifts, comparisons, selections
    kXu = 3,               // reciprocals, roots, exponentials, sines; conversions
    kFp64 = 4,
    kIssueOnly = 5,  // branches: they need no pipe that is counted
};
inline constexpr std::size_t kArithmeticPipes = 6;

// How a load or store finds its address. kComputed: by more than sums and constant factors, anew in
// each trip of the innermost loop; such accesses are not joined. kLoaded: from what another load
// has loaded, for which it waits.
enum class AddressKind : std::uint8_t { kLinear = 0, kComputed = 1, kLoaded = 2 };
inline constexpr AddressKind kLastAddressKind = AddressKind::kLoaded;

// By ArithmeticPipe.
using InstructionCounts = std::array<std::uint16_t, kArithmeticPipes>;

[[nodiscard]] constexpr bool any_instruction(const InstructionCounts& counts) {
    for (const std::uint16_t count : counts)
        if (count != 0) return true;
    return false;
}

}  // namespace tilereel
