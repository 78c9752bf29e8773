#pragma once
// Generates the PTX that records one instruction: the text before it and the text after it.
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/plain/gpu/ptx_instruction.h"
#include "instrumentation/plain/gpu/ptx_patch.h"
#include "instrumentation/plain/gpu/ptx_registers.h"

namespace tilereel::plain {

struct PtxHook {
    std::string before, behind;
    std::string instead;  // replaces the instruction; empty: it stays
};
// How an instruction is recorded.
struct PtxWork {
    std::vector<PtxSite> sites;  // in the order of their records; empty: nothing is recorded
    PtxHook hook;
    bool left_out = false;  // it accesses memory, but is not recorded
};
// `first`: the number of its first site. `caller`: the argument for the caller, a number or a
// register.
[[nodiscard]] PtxWork ptx_work(const PtxInstruction& instruction, const PtxRegisters& registers,
                               std::uint32_t first, const std::string& caller);

}  // namespace tilereel::plain
