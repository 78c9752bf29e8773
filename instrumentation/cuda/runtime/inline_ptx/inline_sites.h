#pragma once
// The sites of what an instruction does. The plugin sees only the asm statement, so the runtime
// makes them.
#include "instrumentation/cuda/hooks.h"
#include "instrumentation/cuda/runtime/inline_ptx/inline_program.h"

namespace tilereel::runtime {

// The type of an element as hooks.h has it.
[[nodiscard]] Scalar scalar_of(PtxType type);

// What a site of an instruction differs in from the site of its statement.
struct PtxSite {
    SiteKind kind = SiteKind::kCall;
    const char* callee = nullptr;  // the name of CUDA's function that does the same; or null
    std::uint32_t width_bytes = 0;
    PtxType element = PtxType::kNone;
};
// One site for each statement, step and `number`: an instruction can have several.
[[nodiscard]] Site& site_of(const Site& call, const PtxStep& step, const PtxSite& differs,
                            std::uint32_t number = 0);

// The running thread's call of the runtime is the instruction, which does what the CUDA function
// `callee` does.
void enter_call(const PtxFrame& frame, const PtxStep& step, const char* callee);

}  // namespace tilereel::runtime
