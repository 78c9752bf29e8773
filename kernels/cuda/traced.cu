#define TILEREEL_BUILD_TRACED
#include "kernels/cuda/box_kernels.cuh"
#include "kernels/cuda/device_trace_symbol.cuh"
#include "kernels/cuda/ladder_table.cuh"

namespace tilereel {

static_assert(sizeof(DeviceArray) == sizeof(Global<float>));
static_assert(offsetof(DeviceArray, first_element) == offsetof(Global<float>, at));

std::span<const DeviceKernel> traced_kernels() { return ladder_table(traced_box_kernels()); }

Status set_traced_block_edge(int edge) { return copy_block_edge(edge); }

Status set_device_trace(const DeviceKernel& kernel, const device::DeviceTrace& trace) {
    return kernel.boxes ? set_device_trace_of_boxes(trace) : copy_device_trace(trace);
}

}  // namespace tilereel
