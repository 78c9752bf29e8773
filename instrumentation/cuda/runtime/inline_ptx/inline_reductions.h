#pragma once
// cp.reduce.async.bulk, for the family of barriers and copies.
#include "instrumentation/cuda/runtime/inline_ptx/inline_program.h"

namespace tilereel::runtime {

[[nodiscard]] Result<PtxStep> bind_bulk_reduction(const PtxBinder& binder);

}  // namespace tilereel::runtime
