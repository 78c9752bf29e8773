#pragma once
#include "instrumentation/cuda/hooks.h"

namespace tilereel::runtime {

// A site of another kind at the line of a call: one call can do several operations.
[[nodiscard]] Site& site_at_call(const Site& call, SiteKind kind);

}  // namespace tilereel::runtime
