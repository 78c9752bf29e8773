#pragma once
// How each kind of instruction is recorded. ptx_work() chooses among these functions.
#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/gpu/ptx/module/ptx_instruction.h"
#include "instrumentation/gpu/ptx/module/ptx_registers.h"
#include "instrumentation/gpu/ptx/ptx_call.h"
#include "instrumentation/gpu/ptx/ptx_work.h"

namespace tilereel::gpu {

struct PtxContext {
    const PtxInstruction& instruction;
    const PtxRegisters& registers;
    std::uint32_t first;        // number of the first site
    const std::string& caller;  // the argument for the caller, a number or a register
};

[[nodiscard]] PtxWork atomic_work(const PtxContext& context);          // atom, red
[[nodiscard]] PtxWork copy_work(const PtxContext& context);            // cp.async
[[nodiscard]] PtxWork bulk_copy_work(const PtxContext& context);       // cp.async.bulk
[[nodiscard]] PtxWork shared_barrier_work(const PtxContext& context);  // mbarrier
[[nodiscard]] PtxWork named_barrier_work(const PtxContext& context);   // bar a, b
[[nodiscard]] PtxWork matrix_access_work(const PtxContext& context);   // ldmatrix, stmatrix
[[nodiscard]] PtxWork product_work(const PtxContext& context);         // mma
[[nodiscard]] PtxWork fragment_work(const PtxContext& context);        // wmma
[[nodiscard]] PtxWork warpgroup_work(const PtxContext& context);       // wgmma
[[nodiscard]] PtxWork fence_work(const PtxContext& context);           // fence
[[nodiscard]] PtxWork registers_work(const PtxContext& context);       // setmaxnreg

// Brings the lanes of the warp together: the recorder's calls may have parted them, and an
// instruction with .aligned needs all of them at once.
[[nodiscard]] inline std::string converged(const PtxContext& context) {
    return context.instruction.guard + " bar.warp.sync 0xffffffff;\n";
}

[[nodiscard]] inline PtxWork left_out_work() { return {.sites = {}, .hook = {}, .left_out = true}; }
// A record without addresses for each of the sites.
[[nodiscard]] PtxWork event_work(const PtxContext& context, const std::vector<PtxSite>& sites);
[[nodiscard]] inline PtxSite plain_site(Operation operation) {
    PtxSite site;
    site.operation = operation;
    return site;
}
// The sites, with `text` in a scope of its own before the instruction.
[[nodiscard]] inline PtxWork work_before(const std::vector<PtxSite>& sites,
                                         const std::string& text) {
    return {.sites = sites, .hook = {.before = in_braces(text), .after = {}, .instead = {}}};
}

}  // namespace tilereel::gpu
