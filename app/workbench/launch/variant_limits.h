#pragma once
// Checks whether a GPU generation can launch a kernel with a TILE and PAD that are not built in.
#include "instrumentation/analysis/generations/generation.h"
#include "kernels/catalog.h"

namespace tilereel {

// kWrongCall if a block has more threads or shared memory than the generation allows. Built-in
// TILEs and PADs always pass, and so do parameters that validate() refuses.
[[nodiscard]] Status check_generation_runs(const KernelInfo& kernel, const KernelParameters& p,
                                           const Generation& generation);

}  // namespace tilereel
