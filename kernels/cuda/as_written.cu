#define TILEREEL_BUILD_AS_WRITTEN
#include "kernels/cuda/box_kernels.cuh"
#include "kernels/cuda/ladder_table.cuh"

namespace tilereel {

static_assert(sizeof(DeviceArray) == sizeof(Global<float>));
static_assert(offsetof(DeviceArray, first_element) == offsetof(Global<float>, at));

std::span<const DeviceKernel> as_written_kernels() { return ladder_table(as_written_box_kernels()); }

Status set_as_written_block_edge(int edge) { return copy_block_edge(edge); }

}  // namespace tilereel
