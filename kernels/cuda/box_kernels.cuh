#pragma once
// The kernels of the ladder that the copy engine brings boxes to, in translation units of their own:
// they are compiled for compute capability 9.0 only.
#include <span>

#include "kernels/cuda/device_kernels.h"

namespace tilereel {

[[nodiscard]] std::span<const DeviceKernel> native_box_kernels();

}  // namespace tilereel
