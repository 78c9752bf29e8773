#pragma once
// Registers per thread of a kernel, as compiled by nvcc.
#include <cstdint>
#include <string>
#include <string_view>

#include "instrumentation/analysis/generations/occupancy.h"

namespace tilereel {

struct Registers {
    enum class From : std::uint8_t {
        kAssumed,
        kCompiled,  // by nvcc, for compute capability 9.0: others differ by a few
        kGiven,     // by the user
    };
    int a_thread = kAssumedRegisters;
    From from = From::kAssumed;
};

// The registers of the native build, from assets/registers.csv. kAssumed if that file has no row
// (CPU kernels, and kernels that are not built in).
[[nodiscard]] Registers registers_of(std::string_view kernel, int tile, int pad);

// "32 registers a thread assumed", "127 registers a thread as compiled for 9.0", "20 registers a
// thread"
[[nodiscard]] std::string text_of(const Registers& registers);

}  // namespace tilereel
