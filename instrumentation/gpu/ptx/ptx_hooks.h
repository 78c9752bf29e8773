#pragma once
// Generates the PTX that records one instruction: the text before it and the text after it.
#include <cstdint>
#include <string>

#include "instrumentation/gpu/ptx/module/ptx_instruction.h"
#include "instrumentation/gpu/ptx/module/ptx_registers.h"
#include "instrumentation/gpu/ptx/ptx_work.h"

namespace tilereel::gpu {

// `first`: the number of the instruction's first site. `caller`: the hook's argument for the
// caller, a number or a register.
[[nodiscard]] PtxWork ptx_work(const PtxInstruction& instruction, const PtxRegisters& registers,
                               std::uint32_t first, const std::string& caller);

}  // namespace tilereel::gpu
