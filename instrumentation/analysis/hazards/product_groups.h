#pragma once
// Mistakes with the groups of a warpgroup's products (wgmma), warp by warp. PTX ISA, "wgmma.fence",
// "wgmma.commit_group", "wgmma.wait_group":
// - no wgmma.fence comes before the first product of a warp: its registers may not be there yet
// - a wait for all groups comes while a product is in no group: it is not waited for
// - the warp ends, and nothing has waited for a product: its sums may not be there when they are
//   read. Only in a trace that is complete.
// - some warps of a warpgroup multiply or change their number of registers (setmaxnreg), and others
//   do not. Only in a trace that is complete
#include <functional>

#include "instrumentation/analysis/hazards/finding.h"

namespace tilereel {

void find_product_groups(const Trace& trace, SegmentRange block,
                         const std::function<void(const Finding&)>& report);

}  // namespace tilereel
