#pragma once
// The PTX that records one instruction: what is put before it, and what behind it.
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/plain/gpu/ptx_instruction.h"
#include "instrumentation/plain/gpu/ptx_patch.h"
#include "instrumentation/plain/gpu/ptx_registers.h"

namespace tilereel::plain {

struct PtxHook {
    std::string before, behind;
    std::string instead;  // of the instruction; empty: it stays
};
// What an instruction does that is recorded, or why it is not.
struct PtxWork {
    std::vector<PtxSite> sites;  // in the order of their records; empty: nothing is recorded
    PtxHook hook;
    bool left_out = false;  // it touches memory, and is not recorded
};
// `first`: the number of the first of its sites. `caller`: what a call hands over, a number or a
// register.
[[nodiscard]] PtxWork ptx_work(const PtxInstruction& instruction, const PtxRegisters& registers,
                               std::uint32_t first, const std::string& caller);

}  // namespace tilereel::plain
