#define TILEREEL_BUILD_NATIVE
#include "kernels/cuda/box_kernels.cuh"
#include "kernels/cuda/ladder_table.cuh"

namespace tilereel {

std::span<const DeviceKernel> native_kernels() { return ladder_table(native_box_kernels()); }

Status set_native_block_edge(int edge) { return copy_block_edge(edge); }

}  // namespace tilereel
