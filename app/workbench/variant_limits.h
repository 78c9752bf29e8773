#pragma once
// Whether a GPU generation could launch a kernel with a TILE and PAD that are not built in.
#include "instrumentation/analysis/generation.h"
#include "kernels/catalog.h"

namespace tilereel {

// kWrongCall where a block has more threads or shared memory than the generation gives. What is
// built in is recorded for any generation; so is what is no launch at all.
[[nodiscard]] Status check_generation_runs(const KernelInfo& kernel, const KernelParameters& p,
                                           const Generation& generation);

}  // namespace tilereel
