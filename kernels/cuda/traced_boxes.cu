#define TILEREEL_BUILD_TRACED
#include "kernels/20_champion.cuh"
#include "kernels/cuda/box_table.cuh"
#include "kernels/cuda/device_trace_symbol.cuh"

namespace tilereel {

std::span<const DeviceKernel> traced_box_kernels() { return box_table(); }

Status set_device_trace_of_boxes(const device::DeviceTrace& trace) {
    return copy_device_trace(trace);
}

}  // namespace tilereel
