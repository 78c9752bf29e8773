#pragma once
// The arrays of a launch that is no product, as a race needs them.
#include <vector>

#include "app/own_kernel/own_call.h"

namespace tilereel {

// The global arrays that the launch reads or writes; their lengths in n are left empty. kFailed: it
// has none that it writes, or one whose values are not recorded.
[[nodiscard]] Result<std::vector<WorkArray>> work_arrays_of(const Trace& trace);

}  // namespace tilereel
