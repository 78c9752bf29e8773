#define TILEREEL_BUILD_AS_WRITTEN
#include "kernels/20_champion.cuh"
#include "kernels/cuda/box_table.cuh"

namespace tilereel {

std::span<const DeviceKernel> as_written_box_kernels() { return box_table(); }

}  // namespace tilereel
